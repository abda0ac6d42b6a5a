import fc from "fast-check";
import { program } from "./program.ts";
import { run } from "./run.ts";

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
export const MODEL_TIMEOUT_MS = process.env.SIGNALBOX_MODEL_RUNS === undefined ? 240_000 : DAY_MS;

/** @throws Error with seed and path when a run breaks a rule */
export async function checkModel({ runs, seed, path }: Sample): Promise<void> {
  const property = fc.asyncProperty(program, async (plan) => {
    const { violations } = await run(plan);
    if (violations.length > 0) throw new Error([...new Set(violations)].join("\n"));
  });
  // Shrinking runs hundreds of programs more: it is for whoever looks for the cause.
  const endOnFailure = process.env.SIGNALBOX_MODEL_SHRINK !== "1";
  await fc.assert(property, { numRuns: runs, seed, endOnFailure, ...(path ? { path } : {}) });
}
