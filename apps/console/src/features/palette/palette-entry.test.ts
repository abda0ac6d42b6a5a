import { expect, test } from "vitest";
import { isSearchable, matches, stepped } from "./palette-entry.ts";

const usage = { label: "Go to the usage", hint: "cost tokens charts" };

test.each(["", "us", "go us", "USAGE", "tokens", "go cost"])("%j finds it", (query) => {
  expect(matches(usage, query)).toBe(true);
});

test.each(["sage", "usage inbox", "x"])("%j does not find it", (query) => {
  expect(matches(usage, query)).toBe(false);
});

test("the server is asked for words only", () => {
  expect(["", " ", "a", "?!", "…"].map(isSearchable)).toEqual(Array(5).fill(false));
  expect(["ab", "語彙", "a b"].map(isSearchable)).toEqual([true, true, true]);
});

test("the choice goes round", () => {
  expect([stepped(0, -1, 3), stepped(2, 1, 3), stepped(0, 1, 0)]).toEqual([2, 0, 0]);
});
