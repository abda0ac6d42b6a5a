import { expect, test } from "vitest";
import { acpLimitsSchema, DEFAULT_LIMITS, limitContradictions } from "./limits.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** It is compared with the age of a row; no timer runs for it. */
const AGES = ["promptRetentionMs"];
const durations = Object.keys(DEFAULT_LIMITS).filter((name) => name.endsWith("Ms"));

test.each(durations.filter((name) => !AGES.includes(name)))(
  "%s is no longer than a timer can run",
  (name) => {
    expect(acpLimitsSchema.safeParse({ [name]: LONGEST_TIMER_MS }).success).toBe(true);
    expect(acpLimitsSchema.safeParse({ [name]: LONGEST_TIMER_MS + 1 }).success).toBe(false);
  },
);

test("the defaults may be written out", () => {
  expect(acpLimitsSchema.parse(DEFAULT_LIMITS)).toEqual(DEFAULT_LIMITS);
});

test("limits that contradict each other are told, and the defaults do not", () => {
  expect(limitContradictions(DEFAULT_LIMITS)).toEqual([]);
  const odd = { ...DEFAULT_LIMITS, maxLineBytes: 2_000, maxPromptBytes: 2_000 };
  expect(limitContradictions(odd)).toEqual([
    expect.stringMatching(/maxPromptBytes \(2000\) must be below limits\.acp\.maxLineBytes/),
  ]);
  const larger = { ...DEFAULT_LIMITS, maxMessageBytes: 11, maxTurnOutputBytes: 10 };
  expect(limitContradictions(larger)).toEqual([expect.stringContaining("maxTurnOutputBytes (10)")]);
});
