/**
 * Changes the strings of a JSON value and nothing else.
 *
 * A string has many spellings (`&` is also `\u0026`), so it is compared and changed decoded;
 * what is not a string, or stays as it is, keeps its exact source text. Nesting is never
 * recursed into: an agent chooses the depth.
 */
import type { JsonObject, JsonValue } from "@signalbox/protocol";

const BACKSLASH = 0x5c;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** @returns the place after the closing quote of the string that starts at `at` */
export function jsonStringEnd(source: string, at: number): number {
  let quote = source.indexOf('"', at + 1);
  while (quote !== -1) {
    let before = quote - 1;
    while (source.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - 1 - before) % 2 === 0) return quote + 1;
    quote = source.indexOf('"', quote + 1);
  }
  return source.length;
}

/** Whether `source` may spell a character in more ways than {@link plainSpelling}. */
export function hasFreeSpelling(source: string): boolean {
  return source.includes("\\u") || source.includes("\\/");
}

/** The one way to spell `text` inside a JSON string without `\u` and `\/`. */
export function plainSpelling(text: string): string {
  return text.replace(/["\\\b\f\n\r\t]/g, (character) => SHORT_ESCAPES[character] ?? character);
}

/**
 * Applies `change` to every string of `source`, keys too.
 *
 * @param source valid JSON (a text that `JSON.parse` takes)
 * @returns `source` itself when nothing changed
 */
export function changeJsonStrings(source: string, change: (text: string) => string): string {
  const parts: string[] = [];
  let copiedTo = 0;
  let start = source.indexOf('"');
  while (start !== -1) {
    const end = jsonStringEnd(source, start);
    const spelled = source.slice(start + 1, end - 1);
    const text = spelled.includes("\\") ? decoded(source.slice(start, end)) : spelled;
    const changed = change(text);
    if (changed !== text) {
      parts.push(source.slice(copiedTo, start), JSON.stringify(changed));
      copiedTo = end;
    }
    start = source.indexOf('"', end);
  }
  if (copiedTo === 0) return source;
  parts.push(source.slice(copiedTo));
  return parts.join("");
}

function decoded(token: string): string {
  const text: unknown = JSON.parse(token);
  return String(text);
}

/** As {@link changeJsonStrings}, for a parsed value: `value` itself when nothing changed. */
export function changeStrings(value: JsonValue, change: (text: string) => string): JsonValue {
  const open: [from: JsonValue[] | JsonObject, to: JsonValue[] | JsonObject][] = [];
  let isChanged = false;
  const changedText = (text: string): string => {
    const changed = change(text);
    isChanged ||= changed !== text;
    return changed;
  };
  const copyOf = (from: JsonValue): JsonValue => {
    if (typeof from === "string") return changedText(from);
    if (typeof from !== "object" || from === null) return from;
    const to = Array.isArray(from) ? [] : {};
    open.push([from, to]);
    return to;
  };
  const copy = copyOf(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    const isList = Array.isArray(from);
    for (const [key, item] of Object.entries(from)) {
      // Defined, not assigned: `__proto__` is a key like any other.
      Object.defineProperty(to, isList ? key : changedText(key), {
        value: copyOf(item),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
  return isChanged ? copy : value;
}
