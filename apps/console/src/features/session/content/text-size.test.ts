import { expect, test } from "vitest";
import { cutText, isProse, SHOWN_CHARS } from "./text-size.ts";

test("a text up to the limit is shown whole, a longer one to the limit", () => {
  expect(cutText("x".repeat(SHOWN_CHARS))).toMatchObject({ left: 0 });
  const { shown, left } = cutText("x".repeat(SHOWN_CHARS + 1));
  expect([shown.length, left]).toEqual([SHOWN_CHARS, 1]);
});

test("no character is cut in half", () => {
  const { shown, left } = cutText(`${"x".repeat(SHOWN_CHARS - 1)}🙂`);
  expect(shown.endsWith("x")).toBe(true);
  expect(left).toBe(2);
});

test("a text with a line that nobody wrote is no prose, wherever the line is", () => {
  const long = "y".repeat(20_001);
  expect(isProse("one\ntwo")).toBe(true);
  expect(isProse("y".repeat(20_000))).toBe(true);
  for (const text of [long, `a\n${long}`, `${long}\nb`]) expect(isProse(text)).toBe(false);
  expect(isProse("short\n".repeat(20_000))).toBe(false);
});

test.each([">", "- ", "* - ", "\t> "])("what is %j over and over is no prose", (mark) => {
  expect(isProse(mark.repeat(10))).toBe(true);
  expect(isProse(`text\n${mark.repeat(250)}`)).toBe(false);
});

test.each(["[31m", "*a", "`a", "<a", "|a"])("many of %s are no prose", (mark) => {
  expect(isProse(mark.repeat(1_000))).toBe(true);
  expect(isProse(`${mark.repeat(80)}\n`.repeat(60))).toBe(false);
});
