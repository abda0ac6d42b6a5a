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

function problemInFile(source: string, title: string): string | null {
  const places = QUOTES.map((quote) => source.indexOf(`${quote}${title}${quote}`));
  const at = places.find((place) => place >= 0);
  if (at === undefined) return "no such test";
  // What calls it stands before its title: `test(`, `test.each(…)(`, `test.skip(`.
  const callee = source.slice(Math.max(0, at - 40), at);
  return /\b(skip|todo|skipIf|runIf)\b[^;]*$/.test(callee) ? "is skipped" : null;
}
