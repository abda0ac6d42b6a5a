import { expect, test } from "vitest";
import { NO_KEYS, readKey } from "./hotkeys.ts";

const BINDINGS = new Set(["g i", "g s", "n"]);

function press(...keys: [key: string, atMs: number][]): (string | null)[] {
  let state = NO_KEYS;
  return keys.map(([key, atMs]) => {
    const step = readKey(state, key, atMs, BINDINGS);
    state = step.state;
    return step.match;
  });
}

test("a pair acts at its second key", () => {
  expect(press(["g", 0], ["i", 300], ["g", 600], ["s", 900])).toEqual([null, "g i", null, "g s"]);
});

test("a pair that takes too long is no pair", () => {
  expect(press(["g", 0], ["i", 5_000])).toEqual([null, null]);
});

test("another key ends the pair and acts for itself", () => {
  expect(press(["g", 0], ["n", 100], ["i", 200])).toEqual([null, "n", null]);
});

test("the first key may be pressed again", () => {
  expect(press(["g", 0], ["g", 100], ["i", 200])).toEqual([null, null, "g i"]);
});
