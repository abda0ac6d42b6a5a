import fc from "fast-check";
import { predict } from "./prediction.ts";
import { program } from "./program.ts";
import { run } from "./run.ts";
import { script } from "./script.ts";

export interface Sample {
  readonly runs: number;
  readonly seed: number;
  /** Of a failure that was printed before: that run alone. */
  readonly path?: string | undefined;
}

/** What was asked for by `npm run test:model`, or a sample of its own for each file. */
export function sampleOf(seed: number): Sample {
  const { SIGNALBOX_MODEL_RUNS: runs, SIGNALBOX_MODEL_SEED: first } = process.env;
  return {
    runs: Number(runs ?? 150),
    seed: first === undefined ? seed : Number(first) + seed - 1,
    path: process.env.SIGNALBOX_MODEL_PATH,
  };
}

const DAY_MS = 24 * 60 * 60_000;

/** A sample that somebody asked for takes as long as it takes. */
export const MODEL_TIMEOUT_MS = process.env.SIGNALBOX_MODEL_RUNS === undefined ? 600_000 : DAY_MS;

/** @throws Error with seed and path when a run breaks a rule */
export function checkModel(sample: Sample): Promise<void> {
  return check(program, async (plan) => (await run(plan)).violations, sample);
}

/** @throws Error with seed and path when the runtime does something else than the model says */
export function checkPredictions(sample: Sample): Promise<void> {
  return check(script, predict, sample);
}

async function check<T>(
  plans: fc.Arbitrary<T>,
  faultsOf: (plan: T) => Promise<readonly string[]>,
  { runs, seed, path }: Sample,
): Promise<void> {
  const property = fc.asyncProperty(plans, async (plan) => {
    const faults = await faultsOf(plan);
    if (faults.length > 0) throw new Error([...new Set(faults)].join("\n"));
  });
  // Shrinking runs hundreds of programs more: it is for whoever looks for the cause.
  const endOnFailure = process.env.SIGNALBOX_MODEL_SHRINK !== "1";
  await fc.assert(property, { numRuns: runs, seed, endOnFailure, ...(path ? { path } : {}) });
}
