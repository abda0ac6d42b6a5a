import { expect, test } from "vitest";
import { usageQuerySchema } from "./usage.ts";

const FROM = "2026-01-01T00:00:00.000Z";
const TO = "2026-02-01T00:00:00.000Z";
const isTaken = (input: object) =>
  usageQuerySchema.safeParse({ from: FROM, to: TO, by: "agent", ...input }).success;

test("a range of usage has two RFC 3339 times, the first before the second", () => {
  expect(isTaken({})).toBe(true);
  expect(isTaken({ from: "2026-01-01T01:00:00+01:00", to: "2026-01-01T00:00:01Z" })).toBe(true);
  for (const from of ["2026-01-01", "yesterday", "2026-13-01T00:00:00Z", 0, null, TO, undefined]) {
    expect(isTaken({ from }), String(from)).toBe(false);
  }
  expect(isTaken({ to: FROM })).toBe(false);
  expect(isTaken({ by: "month" })).toBe(false);
  expect(isTaken({ sessionId: "main" })).toBe(false);
});
