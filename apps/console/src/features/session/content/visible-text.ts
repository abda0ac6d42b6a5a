/**
 * Characters that change what a reader sees without being seen: controls, bidirectional
 * overrides, zero-width and tag characters. In a command that someone is about to allow they
 * must show.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point counts alone
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

export interface TextPiece {
  text: string;
  isHidden: boolean;
}

/** Splits text so that hidden characters can be shown by their code. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) {
      pieces.push({ text: text.slice(from, match.index), isHidden: false });
    }
    const code = match[0].codePointAt(0) ?? 0;
    pieces.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`, isHidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isHidden: false });
  return pieces;
}

/** The text with each hidden character told by its code. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.isHidden ? `[${piece.text}]` : piece.text))
    .join("");
}
