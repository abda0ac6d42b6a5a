import type { DurableEvent, SessionEvent } from "@signalbox/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FeedObserver, FeedSource, HistoryPage } from "./feed-source.ts";
import { SessionFeed } from "./session-feed.ts";

function said(sequence: number): DurableEvent {
  return {
    durability: "durable",
    sessionId: "s",
    sequence,
    timestamp: "2026-01-01T00:00:00.000Z",
    promptId: null,
    type: "agent_message_chunk",
    messageId: `m${sequence}`,
    content: { type: "text", text: `${sequence}` },
  };
}

function refusal(appCode: string): Error {
  return Object.assign(new Error(appCode), { data: { appCode, details: null, retryable: false } });
}

/** A server with `stored` events that the test steers. */
function server(stored: number, firstAnswer: Error | null = null, beginAt: number | null = null) {
  const follows: { input: { after: number; lastEventId?: string }; observer: FeedObserver }[] = [];
  const frames: (() => void)[] = [];
  const state = { stored, oldest: 1, refuse: firstAnswer, unsubscribed: 0 };
  const source: FeedSource = {
    async history({ before, after, limit }): Promise<HistoryPage> {
      if (state.refuse) throw state.refuse;
      if ((before ?? after ?? 0) > state.stored + 1) throw refusal("history_cursor_ahead");
      if ((before ?? after ?? state.oldest) < state.oldest) throw refusal("history_cursor_expired");
      const last = before === undefined ? state.stored : before - 1;
      const end = after === undefined ? last : Math.min(last, after + limit);
      const start = after === undefined ? Math.max(state.oldest, end - limit + 1) : after + 1;
      const events = Array.from({ length: end - start + 1 }, (_, index) => said(start + index));
      return {
        events,
        hasMoreBefore: start > state.oldest,
        hasMoreAfter: end < state.stored,
        oldestSequence: state.oldest,
        latestSequence: state.stored,
      };
    },
    follow(input, observer) {
      follows.push({ input, observer });
      return () => {
        state.unsubscribed += 1;
      };
    },
    schedule(flush) {
      frames.push(flush);
      return () => void frames.splice(frames.indexOf(flush), 1);
    },
  };
  const feed = new SessionFeed(source, beginAt);
  const stop = feed.start();
  onTestFinished(stop);
  const follow = async (count: number) => {
    await vi.waitFor(() => expect(follows).toHaveLength(count));
    const latest = follows.at(-1);
    if (!latest) throw new Error("nobody follows");
    return latest;
  };
  const paint = () => {
    for (const flush of frames.splice(0)) flush();
  };
  return { feed, state, stop, follow, follows, paint };
}

function sequences(feed: SessionFeed): (number | null)[] {
  return feed.snapshot().transcript.rows.map((row) => row.sequence);
}

test("the newest page comes first, then the stream goes on right after it", async () => {
  const { feed, follow, paint } = server(250);
  const { input, observer } = await follow(1);
  expect(input).toEqual({ after: 250 });
  expect(feed.snapshot()).toMatchObject({ phase: "ready", hasOlder: true, isLive: false });
  observer.onStarted();
  observer.onEvent("c251", said(251));
  paint();
  expect(feed.snapshot()).toMatchObject({ isLive: true });
  expect(sequences(feed).at(-1)).toBe(251);
});

test("many events reach readers as one change a frame", async () => {
  const { feed, follow, paint } = server(1);
  const { observer } = await follow(1);
  const reader = vi.fn();
  feed.subscribe(reader);
  for (let sequence = 2; sequence < 500; sequence += 1) {
    observer.onEvent(`c${sequence}`, said(sequence));
  }
  expect(reader).not.toHaveBeenCalled();
  paint();
  expect(reader).toHaveBeenCalledTimes(1);
  expect(feed.snapshot().transcript.latestSequence).toBe(499);
});

test("older pages are put before until there are none, and what is pruned is told", async () => {
  const { feed, state, follow } = server(500);
  state.oldest = 101;
  await follow(1);
  feed.loadOlder();
  feed.loadOlder();
  await vi.waitFor(() => expect(feed.snapshot().isLoadingOlder).toBe(false));
  expect(feed.snapshot().transcript.firstSequence).toBe(101);
  expect(feed.snapshot()).toMatchObject({ hasOlder: false, prunedBefore: 101 });
});

test("a stream that the server ends is followed again from the last cursor", async () => {
  const { follow, feed, paint } = server(1);
  const { observer } = await follow(1);
  observer.onStarted();
  observer.onEvent("c2", said(2));
  paint();
  observer.onError(refusal("server_draining"));
  expect(feed.snapshot()).toMatchObject({ isLive: false, failure: { appCode: "server_draining" } });
  const again = await follow(2);
  expect(again.input).toEqual({ after: 2, lastEventId: "c2" });
  again.observer.onStarted();
  expect(feed.snapshot()).toMatchObject({ isLive: true, failure: null });
});

test("an expired cursor leads to the newest page, not to a gap", async () => {
  const { feed, state, follow } = server(10);
  const { observer } = await follow(1);
  state.stored = 1_000;
  state.oldest = 900;
  observer.onError(refusal("history_cursor_expired"));
  const { input } = await follow(2);
  expect(input).toEqual({ after: 1_000 });
  expect(sequences(feed).at(0)).toBe(900);
});

test("a deleted session is gone, and nobody follows it any more", async () => {
  const { feed, follow } = server(1);
  const { observer } = await follow(1);
  observer.onError(refusal("session_not_found"));
  expect(feed.snapshot().phase).toBe("gone");
});

test("a first page that fails can be asked for again", async () => {
  const { feed, state, follow } = server(3, refusal("storage_busy"));
  await vi.waitFor(() => expect(feed.snapshot().phase).toBe("failed"));
  state.refuse = null;
  feed.retry();
  await follow(1);
  expect(feed.snapshot()).toMatchObject({ phase: "ready", failure: null });
});

test("stopping ends the stream, and starting again goes on where it was", async () => {
  const { feed, state, stop, follow } = server(2);
  const { observer } = await follow(1);
  const live: SessionEvent = said(3);
  observer.onEvent("c3", live);
  stop();
  expect(state.unsubscribed).toBe(1);
  expect(feed.snapshot().transcript.latestSequence).toBe(3);
  onTestFinished(feed.start());
  const { input } = await follow(2);
  expect(input.lastEventId).toBe("c3");
});

test("a place in the past is shown with what is around it, and followed only from the end on", async () => {
  const { feed, follow, follows } = server(1_000, null, 300);
  await vi.waitFor(() => expect(feed.snapshot().phase).toBe("ready"));
  expect([sequences(feed).at(0), sequences(feed).at(-1)]).toEqual([201, 400]);
  expect(feed.snapshot()).toMatchObject({ hasOlder: true, hasNewer: true, isLive: false });
  expect(follows).toHaveLength(0);
  for (const end of [600, 800, 1_000]) {
    feed.loadNewer();
    feed.loadNewer();
    await vi.waitFor(() => expect(sequences(feed).at(-1)).toBe(end));
  }
  expect(feed.snapshot().hasNewer).toBe(false);
  const { input } = await follow(1);
  expect(input).toEqual({ after: 1_000 });
  expect(sequences(feed)).toHaveLength(800);
});

test("from a place in the past the reader gets to the newest events in one step", async () => {
  const { feed, follow } = server(1_000, null, 300);
  await vi.waitFor(() => expect(feed.snapshot().phase).toBe("ready"));
  feed.toLatest();
  const { input } = await follow(1);
  expect(input).toEqual({ after: 1_000 });
  expect([sequences(feed).at(0), sequences(feed).at(-1)]).toEqual([801, 1_000]);
  expect(feed.snapshot()).toMatchObject({ hasNewer: false, missed: null });
});

test.each([
  ["was pruned", 40, "history_cursor_expired"],
  ["is still to come", 5_000, "history_cursor_ahead"],
])(
  "where the place %s, the newest events are shown and the reason told",
  async (_, at, appCode) => {
    const { feed, state, follow } = server(500, null, at);
    state.oldest = 101;
    await follow(1);
    expect(sequences(feed).at(-1)).toBe(500);
    expect(feed.snapshot()).toMatchObject({ missed: { appCode }, hasNewer: false });
  },
);
