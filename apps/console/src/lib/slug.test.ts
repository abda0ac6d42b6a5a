import { parseSessionId } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { readableSlug } from "./slug.ts";

test("a slug is a valid session id at both ends of the random range", () => {
  for (const random of [0, 0.5, 1 - Number.EPSILON]) {
    const slug = readableSlug(() => random);
    expect(parseSessionId(slug)).toBe(slug);
    expect(slug).toMatch(/^[a-z]+-[a-z]+-\d{4}$/);
  }
});

test("two slugs differ", () => {
  const many = new Set(Array.from({ length: 50 }, () => readableSlug()));
  expect(many.size).toBeGreaterThan(45);
});
