import { marked } from "marked";
import remend from "remend";

/** A definition anywhere gives meaning to brackets elsewhere, so such a text stays in one piece. */
const HAS_DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Cuts markdown into blocks that render alone, so that a growing message renders only its last.
 *
 * @param isStreaming closes what is still open in the last block, a fence or emphasis
 */
export function markdownBlocks(text: string, isStreaming: boolean): string[] {
  const blocks = HAS_DEFINITION.test(text)
    ? [text]
    : marked
        .lexer(text, { gfm: true })
        .filter((token) => token.type !== "space")
        .map((token) => token.raw);
  const last = blocks.at(-1);
  return isStreaming && last !== undefined ? blocks.with(-1, remend(last)) : blocks;
}
