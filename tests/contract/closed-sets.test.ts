import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_LIMITS, httpStatusOf, isErrorCode } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { PRODUCED_BY } from "./error-codes.ts";
import { LIMIT_TESTS } from "./limits.ts";
import { testSource } from "./row-check.ts";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

test("every limit of the product has its tests, and nothing else has", () => {
  expect(Object.keys(LIMIT_TESTS).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

const sourceOf = (reference: string) => {
  const [file = "", title = ""] = reference.split(" › ");
  return testSource(fs.readFileSync(path.join(ROOT, file), "utf8"), title);
};

test.each(Object.entries(PRODUCED_BY))("%s is what its test expects", (code, reference) => {
  expect(isErrorCode(code) && httpStatusOf(code)).toBeGreaterThanOrEqual(400);
  expect(sourceOf(reference)).toContain(`"${code}"`);
});

test("a test of something else is found out", () => {
  expect(sourceOf(PRODUCED_BY.session_conflict)).not.toContain('"session_busy"');
});
