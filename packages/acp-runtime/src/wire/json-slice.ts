/**
 * The source text of one value inside a JSON text.
 *
 * Parsing and serialising again would change number text (1.0, 1e400, 2^53+1) and the order
 * of integer-like keys; what an agent said is stored as it said it.
 */
import { jsonStringEnd } from "./json-strings.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

interface Span {
  start: number;
  end: number;
}

/**
 * Finds the value at `path`, a chain of object keys, in `text`, which must be valid JSON
 * (a text that `JSON.parse` took). Of a key that is given twice the last counts, as for `JSON.parse`.
 *
 * @returns the exact source text without outer white space, or undefined when there is no such value
 */
export function jsonSlice(text: string, path: readonly string[]): string | undefined {
  const start = skipSpace(text, 0);
  let span: Span = { start, end: text.length };
  let found = path.length === 0 ? { start, end: skipValue(text, start) } : undefined;
  for (const key of path) {
    found = memberOf(text, span.start, key);
    if (found === undefined) return undefined;
    span = found;
  }
  return found === undefined ? undefined : text.slice(found.start, found.end);
}

/** One member of an object, in the source's own words. */
export interface JsonMember {
  readonly key: string;
  /** The value without outer white space. */
  readonly value: string;
}

/** The members of the object that `text` is, in order, a key that stands twice twice. */
export function jsonMembers(text: string): JsonMember[] {
  return [...membersAt(text, skipSpace(text, 0))].map(({ nameStart, nameEnd, start, end }) => ({
    key: JSON.parse(text.slice(nameStart, nameEnd)),
    value: text.slice(start, end),
  }));
}

interface MemberSpan extends Span {
  nameStart: number;
  nameEnd: number;
}

/** The members of the object that starts at `at`; none for any other value. */
function* membersAt(text: string, at: number): Generator<MemberSpan> {
  if (text.charCodeAt(at) !== OPEN_BRACE) return;
  let i = skipSpace(text, at + 1);
  while (text.charCodeAt(i) === QUOTE) {
    const nameEnd = jsonStringEnd(text, i);
    const colon = skipSpace(text, nameEnd);
    const start = skipSpace(text, colon + 1);
    const end = skipValue(text, start);
    yield { nameStart: i, nameEnd, start, end };
    i = skipSpace(text, end);
    if (text.charCodeAt(i) !== COMMA) return;
    i = skipSpace(text, i + 1);
  }
}

/** The last member named `key` of the object that starts at `at`; undefined for any other value. */
function memberOf(text: string, at: number, key: string): Span | undefined {
  let found: Span | undefined;
  for (const { nameStart, nameEnd, start, end } of membersAt(text, at)) {
    if (isName(text, nameStart, nameEnd, key)) found = { start, end };
  }
  return found;
}

function isName(text: string, start: number, end: number, key: string): boolean {
  if (end - start === key.length + 2 && text.startsWith(key, start + 1)) {
    // A key with a backslash in it is spelled with two in the source, so an equal spelling is no match.
    return !key.includes("\\");
  }
  const source = text.slice(start, end);
  return source.includes("\\") && JSON.parse(source) === key;
}

/** Nesting is counted, not recursed into: an agent chooses the depth. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = jsonStringEnd(text, i);
      if (depth === 0) return i;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      i += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return i;
      depth -= 1;
      i += 1;
      if (depth === 0) return i;
    } else if (depth === 0 && (code === COMMA || isSpace(code))) {
      return i;
    } else {
      i += 1;
    }
  }
  return i;
}

function skipSpace(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i))) i += 1;
  return i;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
