import { expect, test } from "vitest";
import { joinedStderr } from "./stderr-text.ts";

test.each([
  ["", "", ""],
  ["before\n", "", "before\n"],
  ["", "heard\n", "heard\n"],
  ["before\n", "heard\n", "before\nheard\n"],
  ["before\nheard\n", "heard\n", "before\nheard\n"],
  ["before\nhe", "heard\nmore\n", "before\nheard\nmore\n"],
  ["rd\n", "heard\nmore\n", "rd\nheard\nmore\n"],
])("what was stored and what was heard is shown once: %j and %j", (stored, heard, shown) => {
  expect(joinedStderr(stored, heard)).toBe(shown);
});
