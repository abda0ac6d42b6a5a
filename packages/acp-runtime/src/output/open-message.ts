import { randomUUID } from "node:crypto";
import { canonicalJson, isJsonObject, type JsonObject, META } from "@signalbox/protocol";
import { type Redaction, SpokenRedaction } from "./redaction.ts";

const LIVE_TYPES: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk"]);

/** Begins above every serial of an earlier run. */
let nextSerial = Date.now() * 1_000;

/** One chunk of a message or thought, taken apart. */
export interface SpokenChunk {
  readonly type: string;
  /** The agent's id of the message; null when it gave none. */
  readonly messageId: string | null;
  /** The update without `sessionUpdate`, `messageId` and the text. */
  readonly rest: JsonObject;
  /** null for a block that is not text: it stands alone. */
  readonly text: string | null;
}

/** Takes a `*_message_chunk` or `*_thought_chunk` update apart; null when it has no content. */
export function spokenChunk(update: JsonObject): SpokenChunk | null {
  const { sessionUpdate, messageId, ...rest } = update;
  if (typeof sessionUpdate !== "string" || !isJsonObject(rest.content)) return null;
  const id = typeof messageId === "string" ? messageId : null;
  if (rest.content.type !== "text" || typeof rest.content.text !== "string") {
    return { type: sessionUpdate, messageId: id, rest, text: null };
  }
  const { text, ...content } = rest.content;
  return {
    type: sessionUpdate,
    messageId: id,
    rest: { ...rest, content },
    text: typeof text === "string" ? text : "",
  };
}

/**
 * The message being spoken: chunks of the same kind and id that differ in nothing but their text
 * become one event with one text block.
 */
export class OpenMessage {
  readonly type: string;
  readonly promptId: string | null;
  /** Unique among all messages, those of earlier runs included: what a cursor's offset is in. */
  readonly serial: number;
  readonly #nativeId: string | null;
  readonly #messageId: string;
  readonly #rest: JsonObject;
  readonly #shape: string;
  readonly #isText: boolean;
  readonly #spoken: SpokenRedaction;
  #text = "";
  #bytes = 0;
  #isClosed = false;

  private constructor(
    promptId: string | null,
    chunk: SpokenChunk,
    messageId: string,
    redaction: Redaction,
  ) {
    this.type = chunk.type;
    this.serial = nextSerial++;
    this.promptId = promptId;
    this.#nativeId = chunk.messageId;
    this.#messageId = messageId;
    this.#rest = chunk.rest;
    this.#shape = canonicalJson(chunk.rest);
    this.#isText = chunk.text !== null;
    this.#spoken = new SpokenRedaction(redaction);
  }

  /** @param previous the message just before, whose id a block without one goes on with */
  static begin(
    promptId: string | null,
    chunk: SpokenChunk,
    previous: OpenMessage | null,
    redaction: Redaction,
  ): OpenMessage {
    const inherited = previous?.isSameMessage(promptId, chunk) ? previous.#messageId : null;
    return new OpenMessage(
      promptId,
      chunk,
      chunk.messageId ?? inherited ?? randomUUID(),
      redaction,
    );
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What may be shown live: agent messages and thoughts only. */
  get tail() {
    if (this.#isClosed || !this.#isText || !LIVE_TYPES.has(this.type)) return null;
    const fields = { ...this.#rest, messageId: this.#messageId };
    return {
      serial: this.serial,
      type: this.type,
      promptId: this.promptId,
      fields,
      text: this.#text,
    };
  }

  /** Whether `chunk` is more of this very event. */
  continues(promptId: string | null, chunk: SpokenChunk): boolean {
    return (
      !this.#isClosed &&
      this.#isText &&
      chunk.text !== null &&
      this.isSameMessage(promptId, chunk) &&
      canonicalJson(chunk.rest) === this.#shape
    );
  }

  isSameMessage(promptId: string | null, chunk: SpokenChunk): boolean {
    return (
      this.type === chunk.type && this.promptId === promptId && this.#nativeId === chunk.messageId
    );
  }

  append(chunk: SpokenChunk): void {
    const text = chunk.text ?? "";
    this.#bytes += Buffer.byteLength(text);
    this.#text += this.#spoken.push(text);
  }

  /** @returns the event's fields as JSON text; null when nothing was said */
  close(isPartial: boolean): string | null {
    this.#isClosed = true;
    this.#text += this.#spoken.held;
    if (this.#isText && this.#text === "") return null;
    return this.storedFields(isPartial);
  }

  storedFields(isPartial: boolean): string {
    const content = isJsonObject(this.#rest.content) ? this.#rest.content : {};
    const fields: JsonObject = {
      ...this.#rest,
      content: this.#isText ? { ...content, text: this.#text } : content,
      messageId: this.#messageId,
    };
    if (isPartial) {
      fields._meta = {
        ...(isJsonObject(fields._meta) ? fields._meta : {}),
        [META.partial]: true,
      };
    }
    return JSON.stringify(fields);
  }
}
