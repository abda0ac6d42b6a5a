import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test("the first try waits for nothing and no pause exceeds three seconds", () => {
  expect(backoffMs(0, 0.9)).toBe(0);
  for (let attempt = 1; attempt < 40; attempt += 1) {
    expect(backoffMs(attempt, 0.999)).toBeLessThanOrEqual(3_000);
    expect(backoffMs(attempt, 0)).toBeGreaterThan(100);
  }
});
