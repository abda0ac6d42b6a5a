import {
  type ContentBlock,
  canonicalJson,
  isJsonObject,
  type JsonObject,
} from "@signalbox/protocol";

/**
 * Some agents say a prompt back, as `user_message_chunk` updates of its turn. The user's message
 * is in history since the acceptance, so an echo of it is no event. Anything else that an agent
 * says in the user's name is.
 */
export class PromptEcho {
  readonly #blocks: readonly ContentBlock[];
  #next = 0;
  /** Characters of the next block that were echoed already. */
  #offset = 0;

  /** @param sent the blocks as the agent got them */
  constructor(sent: readonly ContentBlock[]) {
    this.#blocks = sent;
  }

  /** Whether the update is the next piece of the echo. */
  includes(update: JsonObject): boolean {
    if (update.sessionUpdate !== "user_message_chunk") return false;
    const { content } = update;
    const block = this.#blocks[this.#next];
    if (block === undefined || !isJsonObject(content)) return false;
    if (typeof content.text === "string" && typeof block.text === "string") {
      return this.#takesText(content.text, block.text);
    }
    if (canonicalJson(content) !== canonicalJson(block)) return false;
    this.#next += 1;
    return true;
  }

  #takesText(piece: string, whole: string): boolean {
    if (piece === "" || !whole.startsWith(piece, this.#offset)) return false;
    this.#offset += piece.length;
    if (this.#offset === whole.length) {
      this.#next += 1;
      this.#offset = 0;
    }
    return true;
  }
}
