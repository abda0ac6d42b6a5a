/** Where a feed has its events from. */
import type { DurableEvent, SessionEvent } from "@signalbox/protocol";

export interface HistoryPage {
  events: DurableEvent[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  oldestSequence: number;
  latestSequence: number;
}

/** The calls that a feed makes; the page gives the typed client's. */
export interface FeedSource {
  history(
    input: { before?: number; after?: number; limit: number },
    signal: AbortSignal,
  ): Promise<HistoryPage>;
  follow(input: { after: number; lastEventId?: string }, observer: FeedObserver): () => void;
  /** Runs `flush` before the next paint; @returns a function that takes it back */
  schedule(flush: () => void): () => void;
}

export interface FeedObserver {
  onStarted(): void;
  onEvent(cursor: string, event: SessionEvent): void;
  onError(error: unknown): void;
  onComplete(): void;
}

/** On either side of the place that a reader begins at. */
const AROUND_ENTRIES = 100;

/** The events up to `sequence` and those after it, as one page. */
export async function pageAround(
  source: FeedSource,
  sequence: number,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const upTo = await source.history({ before: sequence + 1, limit: AROUND_ENTRIES }, signal);
  const after = await source.history({ after: sequence, limit: AROUND_ENTRIES }, signal);
  return {
    ...after,
    events: [...upTo.events, ...after.events],
    hasMoreBefore: upTo.hasMoreBefore,
  };
}
