import { expect, test } from "vitest";
import { boundedPatterns } from "./pattern.ts";

test.each([
  ["^\\d+\\.\\d+$", "1.20", true],
  ["^\\d+\\.\\d+$", "1.x", false],
  ["b+", "abbc", true],
  ["^\\u0041\\/$", "A/", true],
  ["^[\\p{L} ]+$", "é à", true],
])("pattern %s on %s gives %s, as a schema means it", (pattern, value, expected) => {
  expect(boundedPatterns()(pattern, value)).toBe(expected);
});

test("a pattern made to take for ever is told at once", () => {
  expect(boundedPatterns()("^(a+)+$", `${"a".repeat(1_999)}b`)).toBe(false);
});

test.each([
  ["look-ahead", "^(?=a)a$"],
  ["a back reference", "^(a)\\1$"],
  ["a repetition of repetitions that would fill the memory", "(a{1000}){1000}"],
  ["no pattern at all", "("],
  ["a pattern too long to look at", "a".repeat(501)],
])("%s refuses nobody", (_what, pattern) => {
  expect(boundedPatterns()(pattern, "a")).toBeNull();
});

test("one answer costs a bounded number of patterns and characters", () => {
  const matches = boundedPatterns();
  expect(matches("^a", "b".repeat(2_001))).toBeNull();
  const told = Array.from({ length: 21 }, () => matches("^a", "b"));
  expect(told.filter((answer) => answer === false)).toHaveLength(20);
  expect(told.at(-1)).toBeNull();
});
