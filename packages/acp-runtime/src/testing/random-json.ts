import type { JsonObject, JsonValue } from "@signalbox/protocol";

const TEXTS = [
  "",
  "a",
  "params",
  "update",
  '"',
  "\\",
  '\\"',
  "\\\\",
  "é€😀",
  "\u0000",
  "\n",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  " ",
  "\u2028",
  "__proto__",
];
const SCALARS = [null, true, false, 0, -0.5, 1e21, 2 ** 53, -1];
const MAX_DEPTH = 5;

/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

export function randomText(random: () => number): string {
  const parts = Math.floor(random() * 4);
  return Array.from({ length: parts }, () => TEXTS[Math.floor(random() * TEXTS.length)]).join("");
}

export function randomObject(random: () => number, depth = 0): JsonObject {
  const members = Array.from({ length: Math.floor(random() * 5) }, () => [
    randomText(random),
    randomJson(random, depth + 1),
  ]);
  return Object.fromEntries(members);
}

/** Any JSON value, rich in what breaks scanners: quotes, backslashes, brackets, empty keys. */
export function randomJson(random: () => number, depth = 0): JsonValue {
  const kind = depth >= MAX_DEPTH ? random() * 0.5 : random();
  if (kind < 0.25) return SCALARS[Math.floor(random() * SCALARS.length)] ?? null;
  if (kind < 0.5) return randomText(random);
  if (kind < 0.75) return randomObject(random, depth);
  return Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth + 1));
}
