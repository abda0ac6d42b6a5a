import type { SessionEvent } from "@signalbox/protocol";
import { type Followed, follow } from "./follow.ts";
import { retryTransient } from "./retry.ts";
import type { SignalboxApi, Transport } from "./transport.ts";

export interface FollowSessionInput {
  /** Omitted: `main`. */
  sessionId?: string;
  /** Start after this sequence; 0 is the oldest retained event. */
  after?: number;
  /** Start after this cursor; wins over `after`. */
  lastEventId?: string;
}

export interface FollowSessionOptions extends FollowSessionInput {
  maxBufferedItems: number;
  signal: AbortSignal;
}

export async function* followSession(
  { api, watchRefusal }: Transport,
  { sessionId, after, lastEventId, maxBufferedItems, signal }: FollowSessionOptions,
): AsyncGenerator<Followed<SessionEvent>, void, undefined> {
  const session = sessionId === undefined ? {} : { sessionId };
  let start = after;
  if (after === undefined && lastEventId === undefined) {
    const now = await currentSequence(api, session, signal);
    if (now === null) return;
    start = now;
  }
  const from = start === undefined ? session : { ...session, after: start };
  yield* follow<SessionEvent>(
    {
      subscribe: (cursor, observer) =>
        api.sessions.events.subscribe(
          cursor === null ? from : { ...from, lastEventId: cursor },
          observer,
        ),
      watchRefusal,
    },
    { lastEventId: lastEventId ?? null, maxBufferedItems, signal },
  );
}

/**
 * Where "from now on" is. Fixed before the first subscription, since one that is lost before its
 * first item has no cursor to come back to.
 */
async function currentSequence(
  api: SignalboxApi,
  session: { sessionId?: string },
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const { latestSequence } = await retryTransient(
      () => api.sessions.get.query(session, { signal }),
      { maxOutageMs: Number.POSITIVE_INFINITY, signal },
    );
    return latestSequence;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
