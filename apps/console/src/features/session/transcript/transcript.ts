/**
 * The transcript of one session: stored events by sequence, the text being spoken, and messages
 * that only this browser knows yet, as rows with stable keys.
 *
 * Events may come in any order, twice, and in pages from either end. The rows are always what a
 * fold of the known events in order of their sequences gives.
 */
import type { DurableEvent, JsonObject, SessionEvent } from "@signalbox/protocol";
import type { SessionFacts } from "../session-facts.ts";
import { MAX_STDERR_CHARS } from "../stderr-text.ts";
import { LiveText } from "./live-text.ts";
import { RowFold } from "./row-fold.ts";
import { sameValue } from "./same-value.ts";
import { OWN, type Row, type SpeechRow, type UserRow } from "./transcript-rows.ts";

export interface TranscriptSnapshot {
  rows: readonly Row[];
  /** Of the events held here; 0 and 0 when there are none. */
  firstSequence: number;
  latestSequence: number;
  facts: SessionFacts;
  /** What the adapter wrote to stderr while this page watched. */
  stderr: string;
}

export interface LocalMessage {
  /** The idempotency key of the attempt. */
  key: string;
  blocks: JsonObject[];
  delivery: Exclude<UserRow["delivery"], "stored">;
  promptId: string | null;
}

export class Transcript {
  readonly #events = new Map<number, DurableEvent>();
  readonly #keyOf = new Map<number, string>();
  readonly #live = new LiveText();
  #fold = new RowFold(this.#keyOf);
  #locals: LocalMessage[] = [];
  #first = 0;
  #latest = 0;
  #stderr = "";
  #snapshot: TranscriptSnapshot | null = null;
  #stored: Row[] | null = null;

  get snapshot(): TranscriptSnapshot {
    this.#stored ??= this.#fold.rows;
    this.#snapshot ??= {
      rows: this.#compose(this.#stored),
      firstSequence: this.#first,
      latestSequence: this.#latest,
      facts: this.#fold.facts,
      stderr: this.#stderr,
    };
    return this.#snapshot;
  }

  /** Takes in a batch from the stream or a page of history. */
  apply(batch: readonly SessionEvent[]): void {
    let mustRebuild = false;
    for (const event of batch) {
      if (event.durability === "ephemeral") this.#hear(event);
      else mustRebuild = this.#insert(event) || mustRebuild;
    }
    if (mustRebuild) this.#rebuild();
  }

  /** The stream starts anew and will tell the open message from its beginning. */
  forgetLive(): void {
    this.#live.clear();
    this.#snapshot = null;
  }

  /** Drops all but the newest `keep` events, which bounds the memory of a page that stays open. */
  trim(keep: number): void {
    if (this.#events.size <= keep) return;
    const sequences = [...this.#events.keys()].sort((a, b) => a - b);
    for (const sequence of sequences.slice(0, sequences.length - keep)) {
      this.#events.delete(sequence);
      this.#keyOf.delete(sequence);
    }
    this.#rebuild();
  }

  /** Shows or changes a message that is not stored yet. */
  putLocal(local: LocalMessage): void {
    const promptId = local.promptId;
    const isStored = promptId !== null && this.#fold.hasUserMessage(promptId);
    const others = this.#locals.filter((known) => known.key !== local.key);
    this.#locals = isStored ? others : [...others, local];
    this.#snapshot = null;
  }

  dropLocal(key: string): void {
    this.#locals = this.#locals.filter((known) => known.key !== key);
    this.#snapshot = null;
  }

  #hear(event: Extract<SessionEvent, { durability: "ephemeral" }>): void {
    if (event.type === OWN.stderr) {
      const text = typeof event.text === "string" ? event.text : "";
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
      this.#snapshot = null;
    } else if (this.#live.append(event)) {
      this.#snapshot = null;
    }
  }

  /** Returns whether the rows must be folded again because `event` is not the newest. */
  #insert(event: DurableEvent): boolean {
    const { sequence } = event;
    if (this.#events.has(sequence)) return false;
    this.#events.set(sequence, event);
    const liveKey = this.#live.settle(event);
    if (liveKey !== null) this.#keyOf.set(sequence, liveKey);
    this.#adoptLocal(event);
    this.#snapshot = null;
    if (sequence < this.#latest) return true;
    this.#first = this.#events.size === 1 ? sequence : this.#first;
    this.#latest = sequence;
    this.#fold.add(event);
    this.#stored = null;
    return false;
  }

  /** A message of ours that is now stored hands its row over, so that nothing is mounted anew. */
  #adoptLocal(event: DurableEvent): void {
    const { promptId } = event;
    if (promptId === null) return;
    const isUser = event.type === "user_message_chunk";
    if (!isUser && event.type !== OWN.turnEnded) return;
    const local = this.#locals.find((known) => known.promptId === promptId);
    if (!local) return;
    this.#locals = this.#locals.filter((known) => known !== local);
    if (isUser) this.#keyOf.set(event.sequence, `local:${local.key}`);
  }

  #rebuild(): void {
    const before = new Map((this.#stored ?? this.#fold.rows).map((row) => [row.key, row]));
    const sequences = [...this.#events.keys()].sort((a, b) => a - b);
    this.#first = sequences[0] ?? 0;
    this.#latest = sequences.at(-1) ?? 0;
    this.#fold = new RowFold(this.#keyOf);
    for (const sequence of sequences) {
      const event = this.#events.get(sequence);
      if (event) this.#fold.add(event);
    }
    this.#fold.reuse(before);
    this.#stored = null;
    this.#snapshot = null;
  }

  #compose(stored: readonly Row[]): Row[] {
    const rows = [...stored];
    for (const live of this.#live.rows) {
      const last = rows.at(-1);
      if (last && isContinued(last, live)) {
        rows[rows.length - 1] = {
          ...last,
          blocks: [...last.blocks, ...live.blocks],
          streaming: true,
        };
      } else {
        rows.push(live);
      }
    }
    for (const local of this.#locals) {
      if (!this.#isShownAlready(local, stored)) rows.push(localRow(local));
    }
    return rows;
  }

  /**
   * Between the commit and the answer to our call the stored message has come and its prompt id
   * is not ours yet. It is only hidden then; which message is ours the answer decides.
   */
  #isShownAlready(local: LocalMessage, stored: readonly Row[]): boolean {
    if (local.delivery !== "sending") return false;
    const user = stored.findLast((row) => row.kind === "user");
    return (
      user?.promptId === this.#fold.facts.openPromptId && sameValue(user?.blocks, local.blocks)
    );
  }
}

function isContinued(last: Row, live: SpeechRow): last is SpeechRow {
  return (
    last.kind === live.kind &&
    last.messageId !== null &&
    last.messageId === live.messageId &&
    last.promptId === live.promptId
  );
}

function localRow(local: LocalMessage): UserRow {
  return {
    kind: "user",
    key: `local:${local.key}`,
    sequence: null,
    timestamp: null,
    promptId: local.promptId,
    blocks: local.blocks,
    messageId: null,
    imported: false,
    delivery: local.delivery,
  };
}
