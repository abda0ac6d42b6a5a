"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { useTRPCClient } from "../../lib/trpc.tsx";
import type { FeedSource } from "./feed-source.ts";
import { type FeedSnapshot, SessionFeed } from "./session-feed.ts";

const HIDDEN_FLUSH_MS = 250;

/**
 * The session's transcript, live. A feed is for one session and one place to begin at: give the
 * component a `key` of both.
 */
export function useSessionFeed(
  sessionId: string,
  beginAt: number | null,
): { feed: SessionFeed; state: FeedSnapshot } {
  const client = useTRPCClient();
  const [feed] = useState(() => new SessionFeed(sourceOf(client, sessionId), beginAt));
  useEffect(() => feed.start(), [feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.snapshot, feed.snapshot);
  return { feed, state };
}

function sourceOf(client: ReturnType<typeof useTRPCClient>, sessionId: string): FeedSource {
  return {
    history: (input, signal) => client.sessions.history.query({ sessionId, ...input }, { signal }),
    follow: (input, observer) => {
      const subscription = client.sessions.events.subscribe(
        { sessionId, ...input },
        {
          onStarted: () => observer.onStarted(),
          onData: (item) => observer.onEvent(item.id, item.data),
          onError: (error) => observer.onError(error),
          onComplete: () => observer.onComplete(),
        },
      );
      return () => subscription.unsubscribe();
    },
    schedule: beforePaint,
  };
}

/** A hidden tab paints nothing and gets no frames; it must still keep up. */
function beforePaint(flush: () => void): () => void {
  if (document.visibilityState === "hidden") {
    const timer = setTimeout(flush, HIDDEN_FLUSH_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(done);
  // A frame that was asked for may never come once the tab is hidden.
  const timer = setTimeout(done, HIDDEN_FLUSH_MS);
  function done() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    flush();
  }
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
