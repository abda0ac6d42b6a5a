/**
 * Follows one session: the newest page of its history, then its live events, older pages on
 * demand; or, given a place to begin at, the pages around it until the reader comes to the newest.
 * Holds the transcript outside React and tells readers at most once a frame.
 */
import type { SessionEvent } from "@signalbox/protocol";
import { backoffMs } from "../../lib/backoff.ts";
import { type Failure, failureOf } from "../../lib/failure.ts";
import { type FeedSource, type HistoryPage, pageAround } from "./feed-source.ts";
import { type LocalMessage, Transcript, type TranscriptSnapshot } from "./transcript/transcript.ts";

export interface FeedSnapshot {
  phase: "loading" | "ready" | "gone" | "failed";
  transcript: TranscriptSnapshot;
  /** Why there is nothing to show (`failed`, `gone`), or why the live stream is not running. */
  failure: Failure | null;
  /** The stream is up to date as far as this page knows. */
  isLive: boolean;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  olderFailure: Failure | null;
  /** The sequence that the rows were read around; null when they were read from the newest. */
  place: number | null;
  /** The rows end before the newest event, and nothing is followed until they reach it. */
  hasNewer: boolean;
  newerFailure: Failure | null;
  /** Why the place that was asked for is not shown, but the newest events. */
  missed: Failure | null;
  /** The oldest sequence the server still has, once the reader has come to it. */
  prunedBefore: number | null;
}

const PAGE_ENTRIES = 200;
const MAX_EVENTS = 6_000;
const KEEP_EVENTS = 4_000;
const GONE = new Set(["session_not_found", "invalid_session_id"]);
const REFUSED = new Set(["unauthorized", "forbidden"]);
const EXPIRED = new Set([
  "history_cursor_expired",
  "history_cursor_ahead",
  "invalid_history_cursor",
]);

export class SessionFeed {
  readonly #source: FeedSource;
  #beginAt: number | null;
  #isReadingNewer = false;
  readonly #readers = new Set<() => void>();
  #transcript = new Transcript();
  #state: Omit<FeedSnapshot, "transcript"> = {
    phase: "loading",
    failure: null,
    isLive: false,
    hasOlder: false,
    isLoadingOlder: false,
    olderFailure: null,
    place: null,
    hasNewer: false,
    newerFailure: null,
    missed: null,
    prunedBefore: null,
  };
  #snapshot: FeedSnapshot | null = null;
  #waiting: SessionEvent[] = [];
  #cursor: string | null = null;
  #attempt = 0;
  #ends: AbortController | null = null;
  #unfollow: (() => void) | null = null;
  #unschedule: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param beginAt the sequence to begin around; null for the newest */
  constructor(source: FeedSource, beginAt: number | null = null) {
    this.#source = source;
    this.#beginAt = beginAt;
  }

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  readonly snapshot = (): FeedSnapshot => {
    this.#snapshot ??= { ...this.#state, transcript: this.#transcript.snapshot };
    return this.#snapshot;
  };

  /** Begins or goes on. @returns a function that stops it and lets everything go but the rows */
  readonly start = (): (() => void) => {
    this.#ends = new AbortController();
    this.#goOn();
    return this.#stop;
  };

  /** Starts over, after a failure or by a reader's wish. */
  readonly retry = (): void => {
    if (this.#ends === null) return;
    this.#quiet();
    this.#attempt = 0;
    this.#goOn();
  };

  /** Leaves the place where the reader is for the newest events. */
  readonly toLatest = (): void => {
    if (this.#ends === null || !this.#state.hasNewer) return;
    this.#beginAt = null;
    this.#open();
  };

  readonly loadNewer = (): void => {
    if (this.#isReadingNewer || !this.#state.hasNewer || this.#ends === null) return;
    this.#isReadingNewer = true;
    this.#set({ newerFailure: null });
    void this.#readNewer(this.#transcript.snapshot.latestSequence, this.#ends.signal);
  };

  readonly loadOlder = (): void => {
    const { isLoadingOlder, hasOlder } = this.#state;
    const before = this.#transcript.snapshot.firstSequence;
    if (isLoadingOlder || !hasOlder || this.#ends === null || before === 0) return;
    this.#set({ isLoadingOlder: true, olderFailure: null });
    void this.#readOlder(before, this.#ends.signal);
  };

  putLocal(local: LocalMessage): void {
    this.#transcript.putLocal(local);
    this.#set({});
  }

  dropLocal(key: string): void {
    this.#transcript.dropLocal(key);
    this.#set({});
  }

  /** Call when the reader stands at the end: what is far above may then be let go. */
  trim(): void {
    const { firstSequence, latestSequence } = this.#transcript.snapshot;
    if (latestSequence - firstSequence < MAX_EVENTS) return;
    this.#transcript.trim(KEEP_EVENTS);
    this.#set({ hasOlder: true, prunedBefore: null });
  }

  readonly #stop = (): void => {
    this.#ends?.abort();
    this.#ends = null;
    this.#quiet();
  };

  #quiet(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flush();
  }

  #goOn(): void {
    if (this.#state.phase !== "ready") this.#open();
    else if (!this.#state.hasNewer) this.#follow();
  }

  #open(): void {
    const signal = this.#ends?.signal;
    if (!signal) return;
    this.#set({ phase: "loading", failure: null, isLive: false });
    this.#firstPage(signal).then(
      (page) => {
        if (signal.aborted) return;
        this.#transcript = new Transcript();
        this.#transcript.apply(page.events);
        this.#cursor = null;
        this.#set({
          phase: "ready",
          place: this.#beginAt,
          hasOlder: page.hasMoreBefore,
          hasNewer: page.hasMoreAfter,
          ...prunedBefore(page),
        });
        if (!page.hasMoreAfter) this.#follow(page.latestSequence);
      },
      (error: unknown) => {
        if (!signal.aborted) this.#fail(failureOf(error));
      },
    );
  }

  async #firstPage(signal: AbortSignal): Promise<HistoryPage> {
    if (this.#beginAt !== null) {
      try {
        return await pageAround(this.#source, this.#beginAt, signal);
      } catch (error) {
        const missed = failureOf(error);
        if (signal.aborted || !EXPIRED.has(missed.appCode ?? "")) throw error;
        this.#beginAt = null;
        this.#set({ missed });
      }
    }
    return await this.#source.history({ limit: PAGE_ENTRIES }, signal);
  }

  /** @param latest where the stored history ends, when that is not what the transcript holds */
  #follow(latest?: number): void {
    const after = latest ?? this.#transcript.snapshot.latestSequence;
    const cursor = this.#cursor;
    // With a cursor the stream goes on inside the open message; without, it tells it anew.
    if (cursor === null) this.#transcript.forgetLive();
    this.#unfollow = this.#source.follow(
      cursor === null ? { after } : { after, lastEventId: cursor },
      {
        onStarted: () => {
          this.#attempt = 0;
          this.#set({ isLive: true, failure: null });
        },
        onEvent: (id, event) => {
          this.#cursor = id;
          this.#waiting.push(event);
          this.#unschedule ??= this.#source.schedule(() => {
            this.#unschedule = null;
            this.#flush();
          });
        },
        onError: (error) => this.#onStreamError(failureOf(error)),
        onComplete: () => this.#again(),
      },
    );
  }

  #onStreamError(failure: Failure): void {
    this.#unfollow = null;
    this.#flush();
    const code = failure.appCode ?? "";
    if (EXPIRED.has(code)) {
      // What is shown may have holes towards what is stored now: read the newest page again.
      this.#open();
    } else if (GONE.has(code) || REFUSED.has(code)) {
      this.#fail(failure);
    } else {
      this.#set({ isLive: false, failure });
      this.#again();
    }
  }

  #again(): void {
    if (this.#ends === null || this.#timer !== null) return;
    this.#unfollow = null;
    this.#attempt += 1;
    this.#set({ isLive: false });
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#follow();
      },
      backoffMs(this.#attempt, Math.random()),
    );
  }

  #fail(failure: Failure): void {
    const isGone = GONE.has(failure.appCode ?? "");
    this.#set({ phase: isGone ? "gone" : "failed", failure, isLive: false });
  }

  async #readOlder(before: number, signal: AbortSignal): Promise<void> {
    try {
      const page = await this.#source.history({ before, limit: PAGE_ENTRIES }, signal);
      if (signal.aborted) return;
      this.#transcript.apply(page.events);
      this.#set({ hasOlder: page.hasMoreBefore, ...prunedBefore(page), isLoadingOlder: false });
    } catch (error) {
      if (signal.aborted) {
        this.#set({ isLoadingOlder: false });
        return;
      }
      const olderFailure = failureOf(error);
      const isPruned = olderFailure.appCode === "history_cursor_expired";
      if (isPruned) this.#set({ isLoadingOlder: false, hasOlder: false, prunedBefore: before });
      else this.#set({ isLoadingOlder: false, olderFailure });
    }
  }

  async #readNewer(after: number, signal: AbortSignal): Promise<void> {
    try {
      const page = await this.#source.history({ after, limit: PAGE_ENTRIES }, signal);
      // Meanwhile the reader may have gone to the newest events.
      if (signal.aborted || !this.#state.hasNewer || this.#state.phase !== "ready") return;
      this.#transcript.apply(page.events);
      this.#set({ hasNewer: page.hasMoreAfter });
      if (!page.hasMoreAfter) this.#follow(page.latestSequence);
    } catch (error) {
      if (!signal.aborted) this.#set({ newerFailure: failureOf(error) });
    } finally {
      this.#isReadingNewer = false;
    }
  }

  #flush(): void {
    this.#unschedule?.();
    this.#unschedule = null;
    if (this.#waiting.length === 0) return;
    this.#transcript.apply(this.#waiting);
    this.#waiting = [];
    this.#set({});
  }

  #set(change: Partial<Omit<FeedSnapshot, "transcript">>): void {
    this.#state = { ...this.#state, ...change };
    this.#snapshot = null;
    for (const reader of this.#readers) reader();
  }
}

function prunedBefore(page: HistoryPage): Pick<FeedSnapshot, "prunedBefore"> {
  const isAtOldest = !page.hasMoreBefore && page.oldestSequence > 1;
  return { prunedBefore: isAtOldest ? page.oldestSequence : null };
}
