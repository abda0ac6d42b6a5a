import fc from "fast-check";
import { expect, test } from "vitest";
import { program } from "./program.ts";
import { run } from "./run.ts";

test("a seed gives the same run again, gate for gate", async () => {
  const sample = () => fc.sample(program, { seed: 3, numRuns: 10 });
  const again = sample();
  for (const [index, plan] of sample().entries()) {
    const { trace } = await run(plan);
    expect(trace.length).toBeGreaterThan(10);
    const repeated = again[index];
    expect(repeated && (await run(repeated)).trace).toEqual(trace);
  }
}, 60_000);
