import { expect, test } from "vitest";
import { formatAbsolute, formatAge, formatMoment, formatRelative } from "./relative-time.ts";

const NOW_MS = Date.parse("2026-03-10T12:00:00.000Z");
const MINUTE_MS = 60_000;

test.each([
  [0, "just now"],
  [-5_000, "just now"],
  [9_999, "just now"],
  [10_000, "10 s ago"],
  [59_999, "59 s ago"],
  [MINUTE_MS, "1 min ago"],
  [60 * MINUTE_MS - 1, "59 min ago"],
  [60 * MINUTE_MS, "1 h ago"],
  [24 * 60 * MINUTE_MS, "1 d ago"],
])("a moment %d ms ago reads %s", (agoMs, text) => {
  expect(formatRelative(NOW_MS - agoMs, NOW_MS)).toBe(text);
});

test("after thirty days the date says more than the distance", () => {
  expect(formatRelative(NOW_MS - 31 * 24 * 60 * MINUTE_MS, NOW_MS)).toBe("7 Feb 2026");
});

test.each([
  [-1, "0 s"],
  [8_400, "8 s"],
  [4 * MINUTE_MS + 2_000, "4 min 02 s"],
  [185 * MINUTE_MS, "3 h 05 min"],
  [52 * 60 * MINUTE_MS, "2 d 4 h"],
])("an age of %d ms reads %s", (ageMs, text) => {
  expect(formatAge(ageMs)).toBe(text);
});

test("the exact moment names UTC, and what is no moment stays as it is", () => {
  expect(formatAbsolute("2026-03-10T12:00:05.250Z")).toContain("(2026-03-10 12:00:05 UTC)");
  expect(formatAbsolute("soon")).toBe("soon");
});

test("an exact moment is told in the zone that was chosen", () => {
  expect(formatMoment("2026-03-10T09:05:07.123Z", "utc")).toBe("10 Mar 2026, 09:05:07 UTC");
  expect(formatMoment("2026-03-10T09:05:07.123Z", "local")).toMatch(/^10 Mar 2026, \d\d:05:07$/);
  expect(formatMoment("no time", "utc")).toBe("no time");
});
