import type { DurableEvent, EphemeralEvent } from "@signalbox/protocol";
import { asObject, asText } from "../content/json-read.ts";
import { OWN, type SpeechRow } from "./transcript-rows.ts";

export type SpeechKind = SpeechRow["kind"];

export function speechKindOf(type: string): SpeechKind | null {
  if (type === "agent_message_chunk") return "message";
  if (type === "agent_thought_chunk") return "thought";
  return null;
}

interface OpenText {
  key: string;
  kind: SpeechKind;
  messageId: string | null;
  promptId: string | null;
  afterSequence: number;
  text: string;
}

/**
 * The text that is being spoken and is not stored yet.
 *
 * A buffer lives from its first delta until the stored event of the same message arrives, which
 * takes over its key, or until the turn ends.
 */
export class LiveText {
  readonly #open = new Map<string, OpenText>();
  /** The highest stored sequence of each message, to recognise deltas that come late. */
  readonly #storedUpTo = new Map<string, number>();
  #closedUpTo = 0;
  #opened = 0;

  get rows(): SpeechRow[] {
    return [...this.#open.values()].map((open) => ({
      kind: open.kind,
      key: open.key,
      sequence: null,
      timestamp: null,
      promptId: open.promptId,
      blocks: [{ type: "text", text: open.text }],
      messageId: open.messageId,
      streaming: true,
      partial: false,
    }));
  }

  /** Returns whether anything changed. */
  append(event: EphemeralEvent): boolean {
    const kind = speechKindOf(event.type);
    const text = asText(asObject(event.content)?.text);
    if (kind === null || text === null || text === "") return false;
    const messageId = asText(event.messageId);
    const name = nameOf(kind, messageId);
    if (event.afterSequence < Math.max(this.#closedUpTo, this.#storedUpTo.get(name) ?? 0)) {
      return false;
    }
    const open = this.#open.get(name);
    if (open) {
      open.text += text;
      open.afterSequence = event.afterSequence;
      return true;
    }
    this.#opened += 1;
    this.#open.set(name, {
      key: `live:${this.#opened}:${name}`,
      kind,
      messageId,
      promptId: event.promptId ?? null,
      afterSequence: event.afterSequence,
      text,
    });
    return true;
  }

  /** Ends the buffer that `event` completes and returns its key. */
  settle(event: DurableEvent): string | null {
    if (event.type === OWN.turnEnded) {
      this.#open.clear();
      this.#storedUpTo.clear();
      this.#closedUpTo = event.sequence;
      return null;
    }
    const kind = speechKindOf(event.type);
    if (kind === null) return null;
    const name = nameOf(kind, asText(event.messageId));
    this.#storedUpTo.set(name, event.sequence);
    const open = this.#open.get(name);
    if (!open || open.afterSequence >= event.sequence) return null;
    this.#open.delete(name);
    return open.key;
  }

  /** Forgets what is open: a new stream tells it again from its beginning. */
  clear(): void {
    this.#open.clear();
  }
}

function nameOf(kind: SpeechKind, messageId: string | null): string {
  return `${kind}:${messageId ?? ""}`;
}
