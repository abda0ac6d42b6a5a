import { expect, test } from "vitest";
import { limitText } from "./limit-text.ts";

test.each([
  ["maxPromptBytes", 24 * 1024 * 1024, "24 MiB"],
  ["maxLineBytes", 1_500, "1,500 B"],
  ["maxLineBytes", 1_536, "1,536 B"],
  ["cancelGraceMs", 10_000, "10 s"],
  ["cancelGraceMs", 250, "250 ms"],
  ["promptRetentionMs", 30 * 24 * 60 * 60_000, "30 d"],
  ["idleUnloadMs", 15 * 60_000, "15 min"],
  ["idleUnloadMs", 90_000, "1 min 30 s"],
  ["maxSessions", 100_000, "100,000"],
])("%s of %i is told as %s", (name, value, text) => {
  expect(limitText(name, value)).toBe(text);
});
