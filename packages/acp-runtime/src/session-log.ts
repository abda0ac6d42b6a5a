/**
 * What one session says, turned into stored events in the order it was said.
 *
 * `say` and `record` are synchronous, so they may be called from the wire. What arrives while a
 * transaction is under way shares the next one. Readers are woken after the commit only, so what
 * anyone has seen a restart can show again; the one exception is the message being spoken, which
 * `tail` holds and which is marked as such.
 */
import {
  appendEventsInWrite,
  type Database,
  dropOpenMessageInWrite,
  foldInWrite,
  latestSequenceIn,
  type NewEvent,
  type Owner,
  type SessionFold,
  type Sqlite,
  saveOpenMessageInWrite,
  tellFleetInWrite,
} from "@signalbox/db";
import type { JsonObject } from "@signalbox/protocol";
import { offsetIn, type SessionCursor } from "./cursor.ts";
import { OpenMessage, type SpokenChunk } from "./open-message.ts";
import type { Redaction } from "./redaction.ts";

/** After a kill of the server at most this much live text is missing from history. */
const CHECKPOINT_MS = 250;
/** Over this much text on its way to disk the agent's pipe is paused. */
const PRESSURE_BYTES = 4 * 1024 * 1024;

interface Batch {
  readonly events: NewEvent[];
  readonly folds: SessionFold[];
  dropsCheckpoint: boolean;
}

export interface Tail {
  readonly serial: number;
  readonly type: string;
  readonly promptId: string | null;
  /** The event's own fields, its text left out. */
  readonly fields: JsonObject;
  readonly text: string;
}

export interface SessionLogOptions {
  readonly db: Database;
  readonly owner: Owner;
  readonly sessionId: string;
  /** The last committed sequence. */
  readonly sequence: number;
  readonly now: () => number;
}

export class SessionLog {
  readonly sessionId: string;
  readonly #options: SessionLogOptions;
  readonly #waiters = new Set<() => void>();
  #sequence: number;
  #open: OpenMessage | null = null;
  #batch: Batch | undefined;
  /** Writes on their way to disk; the tail shows only when there are none before it. */
  #unwritten = 0;
  #unwrittenBytes = 0;
  #failure: unknown;
  #checkpointTimer: NodeJS.Timeout | undefined;
  #isCheckpointed = false;
  #isEnded = false;
  #isCutShort = false;
  #relievePressure: (() => void) | undefined;

  constructor(options: SessionLogOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#sequence = options.sequence;
  }

  /** The last committed sequence. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The message being spoken after `sequence`; null while events before it are not committed. */
  get tail(): Tail | null {
    return this.#unwritten === 0 && this.#open ? this.#open.tail : null;
  }

  /** True once the session was deleted. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get waiterCount(): number {
    return this.#waiters.size;
  }

  /** True when so much waits for the disk that the agent should wait too. */
  get isUnderPressure(): boolean {
    return this.#unwrittenBytes > PRESSURE_BYTES;
  }

  /** Calls `relieve` once, when the disk has caught up. */
  whenRelieved(relieve: () => void): void {
    this.#relievePressure = relieve;
  }

  /** Bytes of the message being spoken. */
  get openBytes(): number {
    return this.#open?.bytes ?? 0;
  }

  /** Grows the message being spoken, or begins another. Live at once, stored at the next boundary. */
  say(promptId: string | null, chunk: SpokenChunk, redaction: Redaction): void {
    if (!this.#open?.continues(promptId, chunk)) {
      const previous = this.#open;
      this.#closeMessage(false);
      this.#open = OpenMessage.begin(promptId, chunk, previous, redaction);
    }
    this.#open?.append(chunk);
    if (chunk.text === null) this.#closeMessage(false);
    else this.#scheduleCheckpoint();
    if (this.#unwritten === 0) this.#wake();
  }

  /** Ends the message being spoken and adds an event after it. */
  record(event: Omit<NewEvent, "timestamp">, fold?: SessionFold): void {
    this.endMessage();
    this.#push(event, fold);
  }

  /** From now on every message is one that was cut short, until the turn has ended. */
  cutShort(isCutShort: boolean): void {
    this.#isCutShort = isCutShort;
  }

  /** A boundary: commits the message being spoken; `isPartial` marks one that was cut short. */
  endMessage(options: { isPartial: boolean } = { isPartial: false }): void {
    this.#closeMessage(options.isPartial);
    this.#open = null;
  }

  /** The closed message stays known: its id lasts for adjacent blocks of the same message. */
  #closeMessage(isPartial: boolean): void {
    const message = this.#open;
    if (!message || message.isClosed) return;
    clearTimeout(this.#checkpointTimer);
    this.#checkpointTimer = undefined;
    const fields = message.close(isPartial || this.#isCutShort);
    if (fields !== null) {
      this.#push({ type: message.type, promptId: message.promptId, fields });
    }
    if (this.#isCheckpointed) this.#currentBatch().dropsCheckpoint = true;
    this.#isCheckpointed = false;
  }

  /**
   * Runs `fn` in a transaction behind everything said so far; resolves after its commit. What is
   * said meanwhile comes after.
   */
  write<T>(fn: (sqlite: Sqlite) => T): Promise<T> {
    return this.#write(fn, false);
  }

  /** As {@link SessionLog.write}, also after an earlier write failed: for the end of a turn. */
  writeDespiteFailure<T>(fn: (sqlite: Sqlite) => T): Promise<T> {
    return this.#write(fn, true);
  }

  /** The session is gone: readers are told, timers end. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#checkpointTimer);
    this.#wake();
  }

  /** Resolves when there is more to see than `seen`, or `signal` aborts. Never rejects. */
  async changed(seen: SessionCursor, signal: AbortSignal): Promise<void> {
    while (!this.#isAheadOf(seen) && !this.#isEnded && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiters.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiters.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
  }

  #isAheadOf(seen: SessionCursor): boolean {
    if (this.#sequence !== seen.sequence) return this.#sequence > seen.sequence;
    const { tail } = this;
    return tail !== null && tail.text.length > offsetIn(seen, tail);
  }

  #push(event: Omit<NewEvent, "timestamp">, fold?: SessionFold): void {
    const batch = this.#currentBatch();
    batch.events.push({ ...event, timestamp: this.#options.now() });
    if (fold) batch.folds.push(fold);
    this.#unwrittenBytes += event.fields.length;
  }

  #currentBatch(): Batch {
    if (this.#batch) return this.#batch;
    const batch: Batch = { events: [], folds: [], dropsCheckpoint: false };
    this.#batch = batch;
    // The failure is kept for whoever settles the log next; nothing waits for a batch by itself.
    void this.#track(false, (sqlite) => this.#flush(sqlite, batch)).catch((error: unknown) => {
      this.#failure ??= error;
    });
    return batch;
  }

  #flush(sqlite: Sqlite, batch: Batch): void {
    if (this.#batch === batch) this.#batch = undefined;
    const { owner, now } = this.#options;
    this.#unwrittenBytes -= batch.events.reduce((sum, event) => sum + event.fields.length, 0);
    appendEventsInWrite(sqlite, { sessionId: this.sessionId, ...owner }, batch.events);
    for (const fold of batch.folds) foldInWrite(sqlite, this.sessionId, fold);
    if (batch.folds.length > 0) {
      tellFleetInWrite(sqlite, { type: "session_changed", sessionId: this.sessionId }, now());
    }
    if (batch.dropsCheckpoint) dropOpenMessageInWrite(sqlite, this.sessionId);
  }

  #write<T>(fn: (sqlite: Sqlite) => T, despiteFailure: boolean): Promise<T> {
    this.#batch = undefined;
    return this.#track(despiteFailure, fn);
  }

  async #track<T>(despiteFailure: boolean, fn: (sqlite: Sqlite) => T): Promise<T> {
    this.#unwritten += 1;
    try {
      const { result, sequence } = await this.#options.db.write((sqlite) => {
        if (this.#failure !== undefined && !despiteFailure) throw this.#failure;
        return { result: fn(sqlite), sequence: latestSequenceIn(sqlite, this.sessionId) };
      });
      if (despiteFailure) this.#failure = undefined;
      this.#sequence = Math.max(this.#sequence, sequence ?? 0);
      return result;
    } finally {
      this.#unwritten -= 1;
      if (this.#unwritten === 0) this.#wake();
      if (!this.isUnderPressure) this.#relieve();
    }
  }

  #relieve(): void {
    const relieve = this.#relievePressure;
    this.#relievePressure = undefined;
    relieve?.();
  }

  #scheduleCheckpoint(): void {
    this.#checkpointTimer ??= setTimeout(() => {
      this.#checkpointTimer = undefined;
      this.#checkpoint();
    }, CHECKPOINT_MS);
  }

  #checkpoint(): void {
    const message = this.#open;
    if (!message || message.isClosed) return;
    if (message.promptId === null) {
      // Outside a turn nothing tells where a message ends, so what was said so far is one event.
      this.#closeMessage(false);
      return;
    }
    this.#isCheckpointed = true;
    const row = {
      sessionId: this.sessionId,
      promptId: message.promptId,
      type: message.type,
      fields: message.storedFields(false),
    };
    const save = (sqlite: Sqlite) => saveOpenMessageInWrite(sqlite, row, this.#options.now());
    void this.#options.db.write(save).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  #wake(): void {
    for (const wake of this.#waiters) wake();
  }
}
