import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";

test("a change counts its lines and numbers both sides", () => {
  const diff = diffLines("a\nb\nc\n", "a\nB\nc\nd\n");
  expect(diff).toMatchObject({ added: 2, removed: 1, isNewFile: false });
  expect(diff.lines).toEqual([
    { kind: "context", text: "a", oldNumber: 1, newNumber: 1 },
    { kind: "removed", text: "b", oldNumber: 2, newNumber: null },
    { kind: "added", text: "B", oldNumber: null, newNumber: 2 },
    { kind: "context", text: "c", oldNumber: 3, newNumber: 3 },
    { kind: "added", text: "d", oldNumber: null, newNumber: 4 },
  ]);
});

test("changes far apart are parted by a gap", () => {
  const old = Array.from({ length: 40 }, (_, n) => `line ${n}`);
  const changed = old.with(0, "first").with(39, "last");
  const kinds = diffLines(old.join("\n"), changed.join("\n")).lines.map((line) => line.kind);
  expect(kinds.filter((kind) => kind === "gap")).toHaveLength(1);
});

test("a new file is all additions", () => {
  expect(diffLines(null, "a\nb\n")).toMatchObject({ added: 2, removed: 0, isNewFile: true });
});

test("texts that differ everywhere are shown whole", () => {
  const text = (salt: string) => Array.from({ length: 5_000 }, (_, n) => `${salt}${n}`).join("\n");
  expect(diffLines(text("a"), text("b"))).toMatchObject({ isWhole: true, added: 5_000 });
});
