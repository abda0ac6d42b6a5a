/** What of an event is searched, and how words are told apart; the same for texts and queries. */

/** Types whose text people read. The trigger on removed events names the same ones. */
const SEARCHED_TYPES: ReadonlySet<string> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
]);

/** Of a longer text the beginning is searched. */
const MAX_SEARCHED_CHARACTERS = 1_000_000;

/** Scripts that write words without spaces: each character counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
/** Colours of a terminal would stick to the words they colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const TERMINAL_CODE = /\u001b\[[0-9;?]*[A-Za-z]/g;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** @returns null for an event that says nothing to be found */
export function searchedText(event: { type: string; fields: string }): string | null {
  if (!SEARCHED_TYPES.has(event.type)) return null;
  const text = saidText(event);
  if (text === null || text === "") return null;
  return text.slice(0, MAX_SEARCHED_CHARACTERS).replace(TERMINAL_CODE, " ");
}

function saidText({ type, fields }: { type: string; fields: string }): string | null {
  const isTool = type.startsWith("tool_call");
  // Most updates of a tool call have no title; those need not be read.
  if (isTool && !fields.includes('"title"')) return null;
  const value = JSON.parse(fields) as { title?: unknown; content?: { text?: unknown } | null };
  const text = isTool ? value.title : value.content?.text;
  return typeof text === "string" ? text : null;
}

/** The text as the index gets it. */
export function spacedText(text: string): string {
  return text.replace(UNSPACED, " $& ");
}

/** A run of a script without spaces is one word: its characters count in their order. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Each word as a quoted phrase, the last one from its beginning. */
export function matchOf(words: readonly string[]): string {
  return `${words.map((word) => `"${spacedText(word).trim()}"`).join(" ")}*`;
}

const SNIPPET_CHARACTERS = 160;

/** The text around the first place where one of the words stands, in one line. */
export function snippetOf(text: string, words: readonly string[]): string {
  const at = firstPlace(text, words.map(plainText));
  const start = Math.max(0, at - SNIPPET_CHARACTERS / 4);
  const piece = [...text.slice(start, start + SNIPPET_CHARACTERS * 2)]
    .slice(0, SNIPPET_CHARACTERS)
    .join("")
    .toWellFormed();
  const line = piece.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const end = start + piece.length;
  return `${start > 0 ? "…" : ""}${line}${end < text.length ? "…" : ""}`;
}

/** Texts are looked through in pieces, so that only the one with the word is looked at closely. */
const PIECE_CHARACTERS = 16_384;
/** As long as a query may be, so that a word across the edge of two pieces is in one of them. */
const OVERLAP_CHARACTERS = 1_000;

function firstPlace(text: string, plainWords: readonly string[]): number {
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
    const piece = text.slice(start, start + PIECE_CHARACTERS + OVERLAP_CHARACTERS);
    const plain = plainText(piece);
    if (plainWords.some((word) => plain.includes(word))) return start + placeIn(piece, plainWords);
  }
  return 0;
}

function placeIn(piece: string, plainWords: readonly string[]): number {
  let plain = "";
  const places: number[] = [];
  for (let at = 0; at < piece.length; at += 1) {
    const character = plainText(piece[at] ?? "");
    for (let index = 0; index < character.length; index += 1) places.push(at);
    plain += character;
  }
  const found = plainWords.map((word) => plain.indexOf(word)).filter((index) => index >= 0);
  return places[Math.min(...found)] ?? 0;
}

/** Without case and accents. */
function plainText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
