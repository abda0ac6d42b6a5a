import { structuredPatch } from "diff";

export interface DiffLine {
  kind: "context" | "added" | "removed" | "gap";
  text: string;
  oldNumber: number | null;
  newNumber: number | null;
}

export interface FileDiff {
  lines: DiffLine[];
  added: number;
  removed: number;
  isNewFile: boolean;
  /** The texts differ in too many places to compare; `lines` is the new text as it is. */
  isWhole: boolean;
}

const CONTEXT_LINES = 3;
const MAX_EDITS = 4_000;

/** The lines of a unified diff. `oldText` null means that the file did not exist. */
export function diffLines(oldText: string | null, newText: string): FileDiff {
  if (oldText === null) return wholeFile(newText, { isNewFile: true, isWhole: false });
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return wholeFile(newText, { isNewFile: false, isWhole: true });
  const lines = patch.hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [gap()] : []),
    ...hunkLines(hunk),
  ]);
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  const sums = { added: count("added"), removed: count("removed") };
  return { lines, ...sums, isNewFile: false, isWhole: false };
}

function wholeFile(text: string, facts: Pick<FileDiff, "isNewFile" | "isWhole">): FileDiff {
  const texts = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const lines = texts.map(
    (line, index): DiffLine => ({
      kind: "added",
      text: line,
      oldNumber: null,
      newNumber: index + 1,
    }),
  );
  return { lines, added: lines.length, removed: 0, ...facts };
}

function gap(): DiffLine {
  return { kind: "gap", text: "", oldNumber: null, newNumber: null };
}

function hunkLines(hunk: { oldStart: number; newStart: number; lines: string[] }): DiffLine[] {
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  return hunk.lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    switch (line[0]) {
      case "+":
        return [{ kind: "added", text, oldNumber: null, newNumber: newNumber++ }];
      case "-":
        return [{ kind: "removed", text, oldNumber: oldNumber++, newNumber: null }];
      case " ":
        return [{ kind: "context", text, oldNumber: oldNumber++, newNumber: newNumber++ }];
      default:
        // "\ No newline at end of file"
        return [];
    }
  });
}
