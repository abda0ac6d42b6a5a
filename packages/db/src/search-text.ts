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

export function wordsOf(text: string): string[] {
  return spacedText(text).match(WORD) ?? [];
}

const SNIPPET_CHARACTERS = 160;

/** The text around the first place where one of the words stands, in one line. */
export function snippetOf(text: string, words: readonly string[]): string {
  const folded = foldedText(text);
  const places = words
    .map((word) => folded.text.indexOf(foldedText(word).text))
    .filter((place) => place >= 0);
  const at = folded.offsets[Math.min(...places)] ?? 0;
  const start = Math.max(0, at - SNIPPET_CHARACTERS / 4);
  const piece = [...text.slice(start, start + SNIPPET_CHARACTERS * 2)]
    .slice(0, SNIPPET_CHARACTERS)
    .join("")
    .toWellFormed();
  const line = piece.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const end = start + piece.length;
  return `${start > 0 ? "…" : ""}${line}${end < text.length ? "…" : ""}`;
}

/** Without case and accents, and where each character of it stands in the text. */
function foldedText(text: string): { text: string; offsets: number[] } {
  let folded = "";
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const plain = (text[at] ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let index = 0; index < plain.length; index += 1) offsets.push(at);
    folded += plain;
  }
  return { text: folded, offsets };
}
