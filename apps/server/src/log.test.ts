import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "./log.ts";

const log = createLog("debug");

function written(message: string, facts?: Record<string, unknown>): string {
  let text = "";
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  log.info(message, facts);
  spy.mockRestore();
  return text;
}

test.each([
  ["a line of its own", '\n2026-01-01T00:00:00.000Z error it was {"him":1}'],
  ["a return", "\r over it"],
  ["colours", "\u001b[31mred\u001b[0m"],
  ["a one-byte escape", "\u009b2J"],
  ["a turn of direction", "abc\u202edcba"],
  ["a character of no width", "ab\u200bcd"],
  ["line breaks beyond ASCII", "a\u0085b\u2028c\u2029d"],
  ["half a character", "a\ud800b"],
])("foreign text that holds %s stays one line that shows it", (_name, foreign) => {
  for (const text of [written(foreign), written("said", { foreign, [foreign]: 1 })]) {
    expect(text.endsWith("\n")).toBe(true);
    const line = text.slice(0, -1);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    expect(line).toMatch(/\\(u[0-9a-f]{4}|[nrt])/);
    expect(line).toMatch(/^\S+Z info /);
  }
});

test("facts can be read back", () => {
  const facts = { name: 'a "b"\n\u202e', count: 3 };
  const line = written("something", facts);
  expect(JSON.parse(line.slice(line.indexOf("{")))).toEqual(facts);
});
