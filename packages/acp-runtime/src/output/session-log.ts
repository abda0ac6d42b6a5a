/**
 * What one session says, turned into stored events in the order it was said.
 *
 * `say` and `record` are synchronous, so they may be called from the wire. What arrives while a
 * transaction is under way shares the next one. Readers are woken after the commit only, so what
 * anyone has seen a restart can show again; the one exception is the message being spoken, which
 * `tail` holds and which is marked as such.
 */
import {
  type Database,
  type HistoryLimits,
  historyFiguresIn,
  type NewEvent,
  type Owner,
  type SessionFold,
  type Sqlite,
  saveOpenMessageInWrite,
} from "@signalbox/db";
import { type AcpLimits, AppError, type JsonObject } from "@signalbox/protocol";
import { StderrFeed } from "../adapter/stderr-feed.ts";
import { offsetIn, type SessionCursor } from "../reads/cursor.ts";
import { EventWindow } from "../reads/event-window.ts";
import { WakeUp } from "../reads/wake-up.ts";
import { HistoryPruner } from "./history-pruner.ts";
import { OpenMessage, type SpokenChunk } from "./open-message.ts";
import type { Redaction } from "./redaction.ts";
import { UnwrittenEvents } from "./unwritten-events.ts";

/** After a kill of the server at most this much live text is missing from history. */
const CHECKPOINT_MS = 250;
/** Over this much text on its way to disk the agent's pipe is paused. */
const PRESSURE_BYTES = 4 * 1024 * 1024;

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
  readonly limits: HistoryLimits & Pick<AcpLimits, "stderrTailBytes">;
  /** A cut of the history that could not be made; the next write tries again. */
  readonly onPruneFailure: (error: unknown) => void;
  /** Something said could not be stored. It is kept and goes along with the next write. */
  readonly onFailure: (error: unknown) => void;
}

export class SessionLog {
  readonly sessionId: string;
  readonly #options: SessionLogOptions;
  /** What the adapter writes beside its protocol; never stored. */
  readonly stderr: StderrFeed;
  /** What its readers share. */
  readonly window: EventWindow;
  readonly #waiters = new WakeUp();
  readonly #unwritten: UnwrittenEvents;
  readonly #pruner: HistoryPruner;
  #sequence: number;
  #open: OpenMessage | null = null;
  /** A flush that is queued and takes along what is said until it runs or something is queued behind it. */
  #flush: { limit: number | null } | null = null;
  /** Writes on their way to disk; the tail shows only when there are none before it. */
  #writing = 0;
  #hasFailed = false;
  #checkpointTimer: NodeJS.Timeout | undefined;
  #isCheckpointed = false;
  #isEnded = false;
  #isCutShort = false;
  #relievePressure: (() => void) | undefined;

  constructor(options: SessionLogOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#sequence = options.sequence;
    this.#unwritten = new UnwrittenEvents({ sessionId: options.sessionId, ...options.owner });
    this.window = new EventWindow(options.db, options.sessionId);
    this.stderr = new StderrFeed(options.limits.stderrTailBytes, () => this.#waiters.wake());
    this.#pruner = new HistoryPruner({ ...options, onFailure: options.onPruneFailure });
  }

  /** The last committed sequence. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The message being spoken after `sequence`; null while events before it are not committed. */
  get tail(): Tail | null {
    return this.#writing === 0 && this.#unwritten.bytes === 0 && this.#open
      ? this.#open.tail
      : null;
  }

  /** True once the session was deleted. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True when so much waits for the disk that the agent should wait too. */
  get isUnderPressure(): boolean {
    // A disk that refuses is told by a failing turn, not by an agent that waits for ever.
    return !this.#hasFailed && this.#unwritten.bytes > PRESSURE_BYTES;
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
    if (this.#writing === 0) this.#waiters.wake();
  }

  /** Ends the message being spoken and adds an event after it. */
  record(event: Omit<NewEvent, "timestamp">, fold?: SessionFold): void {
    this.endMessage();
    this.#push(event, { fold, dropsCheckpoint: false });
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
    const dropsCheckpoint = this.#isCheckpointed;
    this.#isCheckpointed = false;
    if (fields === null) return;
    this.#push({ type: message.type, promptId: message.promptId, fields }, { dropsCheckpoint });
  }

  /**
   * Runs `fn` in a transaction behind everything said so far; resolves after its commit. What is
   * said meanwhile comes after.
   */
  write<T>(fn: (sqlite: Sqlite) => T): Promise<T> {
    if (this.#flush) this.#flush.limit ??= this.#unwritten.end;
    this.#flush = null;
    const limit = this.#unwritten.end;
    return this.#track(() => limit, fn);
  }

  /** The session was deleted: readers are told. */
  end(): void {
    this.#isEnded = true;
    this.stop();
    this.#waiters.wake();
  }

  /** The server stops; readers are let go by their connections. */
  stop(): void {
    this.#pruner.stop();
    clearTimeout(this.#checkpointTimer);
  }

  /**
   * Resolves when there is more to see than `seen`, more on stderr than `stderrSeen`, or `signal`
   * aborts. Never rejects.
   */
  changed(seen: SessionCursor, stderrSeen: number, signal: AbortSignal): Promise<void> {
    const isNews = () => this.#isAheadOf(seen) || this.stderr.total > stderrSeen;
    return this.#waiters.until(() => this.#isEnded || isNews(), signal);
  }

  #isAheadOf(seen: SessionCursor): boolean {
    if (this.#sequence !== seen.sequence) return this.#sequence > seen.sequence;
    const { tail } = this;
    return tail !== null && tail.text.length > offsetIn(seen, tail);
  }

  #push(
    event: Omit<NewEvent, "timestamp">,
    options: { fold?: SessionFold | undefined; dropsCheckpoint: boolean },
  ): void {
    this.#unwritten.add({ ...event, timestamp: this.#options.now() }, options);
    if (this.#flush) return;
    const flush: { limit: number | null } = { limit: null };
    this.#flush = flush;
    const limitAtRun = () => {
      if (this.#flush === flush) this.#flush = null;
      flush.limit ??= this.#unwritten.end;
      return flush.limit;
    };
    this.#track(limitAtRun, () => undefined).catch((error: unknown) => {
      if (this.#flush === flush) this.#flush = null;
      this.#options.onFailure(error);
    });
  }

  /** @param limitAtRun which of the unwritten events the write takes along, asked when it runs */
  async #track<T>(limitAtRun: () => number, fn: (sqlite: Sqlite) => T): Promise<T> {
    this.#writing += 1;
    let limit = 0;
    try {
      const { result, figures } = await this.#options.db.write((sqlite) => {
        limit = limitAtRun();
        const before = this.#unwritten.writtenBelow;
        try {
          this.#unwritten.writeInWrite(sqlite, limit, this.#options.now());
          return { result: fn(sqlite), figures: historyFiguresIn(sqlite, this.sessionId) };
        } catch (error) {
          this.#unwritten.undo(before);
          throw error;
        }
      });
      this.#hasFailed = false;
      this.#unwritten.committed(limit);
      this.#sequence = Math.max(this.#sequence, figures?.latestSequence ?? 0);
      if (figures) this.#pruner.consider(figures);
      return result;
    } catch (error) {
      this.#unwritten.refused();
      this.#hasFailed = !(error instanceof AppError) || error.code.startsWith("storage_");
      throw error;
    } finally {
      this.#writing -= 1;
      if (this.#writing === 0) this.#waiters.wake();
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
    this.#options.db.write(save).catch((error: unknown) => this.#options.onFailure(error));
  }
}
