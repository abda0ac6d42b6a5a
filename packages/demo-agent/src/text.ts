const MAX_CHUNKS = 80;

/** Cuts text into pieces of a few words; joined they are the text again. */
export function chunksOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
  const wordsPerChunk = Math.max(2, Math.ceil(words.length / MAX_CHUNKS));
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerChunk) {
    chunks.push(words.slice(at, at + wordsPerChunk).join(""));
  }
  return chunks;
}

/** The first `maxCharacters` characters of text, with an ellipsis where some were cut. */
export function shorten(text: string, maxCharacters: number): string {
  // Twice the UTF-16 units always hold enough whole characters, and bound the spread.
  const characters = [...text.slice(0, maxCharacters * 2)];
  if (characters.length <= maxCharacters && text.length <= maxCharacters * 2) return text;
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
