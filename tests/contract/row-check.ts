import fs from "node:fs";
import path from "node:path";
import type { ContractRow } from "./contract-row.ts";

const QUOTES = ['"', "'", "`"];

/** What is wrong with a row: no test, or one that is not in the tree or does not run. */
export function problemsOf(root: string, { sentence, tests }: ContractRow): string[] {
  if (tests.length === 0) return [`${sentence}: no test`];
  return tests.flatMap((reference) => {
    const [file, title] = reference.split(" › ");
    if (!file || !title) return [`${sentence}: no file and title: ${reference}`];
    const absolute = path.join(root, file);
    if (!fs.existsSync(absolute)) return [`${sentence}: no such file: ${file}`];
    const problem = problemInFile(fs.readFileSync(absolute, "utf8"), title);
    return problem === null ? [] : [`${sentence}: ${problem}: ${reference}`];
  });
}

/** The statement of one test, from its call to the next one; empty when there is none. */
export function testSource(source: string, title: string): string {
  const at = placeOf(source, title);
  if (at === undefined) return "";
  const calls = [...source.matchAll(/^ *(?:test|describe)\b/gm)].map(({ index }) => index);
  const begin = calls.findLast((index) => index <= at) ?? 0;
  return source.slice(
    begin,
    calls.find((index) => index > at),
  );
}

function placeOf(source: string, title: string): number | undefined {
  const places = QUOTES.map((quote) => source.indexOf(`${quote}${title}${quote}`));
  return places.find((place) => place >= 0);
}

function problemInFile(source: string, title: string): string | null {
  const at = placeOf(source, title);
  if (at === undefined) return "no such test";
  // What calls it stands before its title: `test(`, `test.each(…)(`, `test.skip(`.
  const callee = source.slice(Math.max(0, at - 40), at);
  return /\b(skip|todo|skipIf|runIf)\b[^;]*$/.test(callee) ? "is skipped" : null;
}
