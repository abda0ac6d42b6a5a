import { toSignalboxError, unauthorizedClose } from "./errors.ts";
import { Inbox, type InboxEnd } from "./inbox.ts";
import { backoffMs, isTransient, pause } from "./retry.ts";

export interface Followed<E> {
  /** Opaque; hand it back as `lastEventId` to go on after this item, also in another process. */
  cursor: string;
  event: E;
}

/** How one subscription tells what it sees. */
export interface SubscriptionObserver<E> {
  onData(item: { id: string; data: E }): void;
  onError(error: unknown): void;
  onComplete(): void;
  onConnectionStateChange(state: { error: unknown }): void;
}

export interface FollowSource<E> {
  /** Starts after the cursor, or where the follower began when there is none yet. */
  subscribe(cursor: string | null, observer: SubscriptionObserver<E>): { unsubscribe(): void };
  /** Tells of a socket that was closed for want of a valid token. @returns ends the watch */
  watchRefusal(onRefused: () => void): () => void;
}

export interface FollowOptions {
  lastEventId: string | null;
  maxBufferedItems: number;
  signal: AbortSignal;
}

/**
 * Follows a tracked stream for as long as the signal allows, across lost sockets, restarts and
 * its own slowness: every new subscription starts at the last item that was handed out.
 *
 * @throws SignalboxError when the server ends the stream with an error that will not pass
 */
export async function* follow<E>(
  source: FollowSource<E>,
  { lastEventId, maxBufferedItems, signal }: FollowOptions,
): AsyncGenerator<Followed<E>, void, undefined> {
  let cursor = lastEventId;
  let failures = 0;
  while (!signal.aborted) {
    const inbox = new Inbox<Followed<E>>(maxBufferedItems);
    const stop = subscribeInto(inbox, source, cursor, signal);
    try {
      for (let item = await inbox.take(); item && !signal.aborted; item = await inbox.take()) {
        cursor = item.cursor;
        failures = 0;
        yield item;
      }
    } finally {
      stop();
    }
    if (inbox.end?.kind === "full") continue;
    throwUnlessTransient(inbox.end);
    await pause(backoffMs(failures), signal);
    failures += 1;
  }
}

function throwUnlessTransient(end: InboxEnd | null): void {
  if (end?.kind !== "failed") return;
  const error = toSignalboxError(end.error);
  if (!isTransient(error)) throw error;
}

/** tRPC reconnects a lost socket and resumes by itself; only a refusal ends the subscription. */
function subscribeInto<E>(
  inbox: Inbox<Followed<E>>,
  source: FollowSource<E>,
  cursor: string | null,
  signal: AbortSignal,
): () => void {
  // Before the subscription: its socket may be refused before it was sent.
  const stopWatching = source.watchRefusal(() =>
    inbox.finish({ kind: "failed", error: unauthorizedClose() }),
  );
  const subscription = source.subscribe(cursor, {
    onData: ({ id, data }) => {
      inbox.put({ cursor: id, event: data });
      if (inbox.end) subscription.unsubscribe();
    },
    onError: (error) => inbox.finish({ kind: "failed", error }),
    onComplete: () => inbox.finish({ kind: "stopped" }),
    onConnectionStateChange: ({ error }) => {
      if (error && !isTransient(toSignalboxError(error))) inbox.finish({ kind: "failed", error });
    },
  });
  const onAbort = () => inbox.finish({ kind: "stopped" });
  signal.addEventListener("abort", onAbort);
  return () => {
    signal.removeEventListener("abort", onAbort);
    stopWatching();
    subscription.unsubscribe();
  };
}
