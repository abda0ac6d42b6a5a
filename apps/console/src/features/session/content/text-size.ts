/** How much of a text is drawn, and how. A browser stands still over what no person would read. */

/** Characters of a plain text that are shown before somebody asks for the rest. */
export const SHOWN_CHARS = 20_000;

const MAX_PROSE_CHARS = 100_000;

/** A longer line is no prose. The search for links and emphasis in it grows with its square. */
const MAX_PROSE_LINE_CHARS = 20_000;

export interface CutText {
  shown: string;
  /** Characters that are left out. */
  left: number;
}

export function cutText(text: string): CutText {
  if (text.length <= SHOWN_CHARS) return { shown: text, left: 0 };
  // Never between the two halves of a character.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(SHOWN_CHARS - 1));
  const end = isHalf ? SHOWN_CHARS - 1 : SHOWN_CHARS;
  return { shown: text.slice(0, end), left: text.length - end };
}

/** Marks of Markdown; what an unclosed one may mean is looked for over and over. */
const MARKS = new Set([..."[]*_~`<>|!&\\"]);
const MAX_MARKS = 3_000;

/** Quotes and lists inside each other: parsers call themselves for each. */
const MAX_DEPTH_CHARS = 200;
const DEPTH = /^[\s>*+-]*/;

/** Whether a text may be drawn as Markdown at all. Takes time by the length of the text alone. */
export function isProse(text: string): boolean {
  if (text.length > MAX_PROSE_CHARS) return false;
  let marks = 0;
  for (const character of text) if (MARKS.has(character)) marks += 1;
  if (marks > MAX_MARKS) return false;
  return text.split("\n").every((line) => {
    const [depth = ""] = DEPTH.exec(line) ?? [];
    return line.length <= MAX_PROSE_LINE_CHARS && depth.length <= MAX_DEPTH_CHARS;
  });
}
