import { expect, test } from "vitest";
import { visiblePieces } from "./visible-text.ts";

test("a bidirectional override in a command shows by its code", () => {
  expect(visiblePieces("rm \u202etxt.exe")).toEqual([
    { text: "rm ", isHidden: false },
    { text: "U+202E", isHidden: true },
    { text: "txt.exe", isHidden: false },
  ]);
});

test("tag characters outside the first plane are found whole", () => {
  expect(visiblePieces("a\u{e0041}b").map((piece) => piece.text)).toEqual(["a", "U+E0041", "b"]);
});

test("ordinary text with tabs and line ends stays one piece", () => {
  expect(visiblePieces("a\tb\nç 日本")).toEqual([{ text: "a\tb\nç 日本", isHidden: false }]);
});
