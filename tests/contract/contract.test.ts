import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ContractRow } from "./contract-row.ts";
import { problemsOf } from "./row-check.ts";

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(FOLDER, "../..");
const NOT_TABLES = new Set(["contract-row.ts", "row-check.ts"]);

const tables = fs
  .readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !NOT_TABLES.has(name));

test.each(tables)("every promise in %s names tests that exist and run", async (name) => {
  const { rows } = (await import(path.join(FOLDER, name))) as { rows: readonly ContractRow[] };
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.flatMap((row) => problemsOf(ROOT, row))).toEqual([]);
});

test("a promise is found out that has no test, a missing test, or one that is skipped", () => {
  const file = path.relative(ROOT, fileURLToPath(import.meta.url));
  const real = `${file} › every promise in %s names tests that exist and run`;
  const problems = (tests: string[]) => problemsOf(ROOT, { sentence: "s", tests });
  expect(problems([real])).toEqual([]);
  expect(problems([])).toEqual(["s: no test"]);
  expect(problems([`${file} › no such title`])).toEqual([
    `s: no such test: ${file} › no such title`,
  ]);
  expect(problems(["no-such.test.ts › x"])).toEqual(["s: no such file: no-such.test.ts"]);
  expect(problems(["without a title"])).toEqual(["s: no file and title: without a title"]);
  const skipped = "tests/contract/skipped-example.txt › a skipped one";
  expect(problems([skipped])).toEqual([`s: is skipped: ${skipped}`]);
});
