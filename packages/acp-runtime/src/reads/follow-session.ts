import { type Database, readSession, sessionNotFound } from "@signalbox/db";
import { composeEvent, isJsonObject, OWN_EVENT, type SessionEvent } from "@signalbox/protocol";
import type { SessionLog, Tail } from "../output/session-log.ts";
import { encodeSessionCursor, offsetIn, type SessionCursor } from "./cursor.ts";
import type { SharedPage } from "./event-window.ts";
import { cursorExpired } from "./stored-reads.ts";

const NO_EVENTS: SharedPage = { events: [], hasMore: false };

export interface FollowSource {
  readonly db: Database;
  readonly log: SessionLog;
  readonly incarnation: string;
}

export interface Followed {
  cursor: string;
  event: SessionEvent;
}

/**
 * Yields everything that happens in a session after `from`: stored events, then the message
 * being spoken as it grows. Ends quietly when `signal` aborts.
 *
 * The cursor is the only state, so a reader that comes back with the last one it saw misses
 * nothing and sees nothing twice, and a slow one costs nothing.
 *
 * @throws AppError `session_not_found` when the session is deleted meanwhile
 */
export async function* followSession(
  source: FollowSource,
  from: SessionCursor,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const { log } = source;
  const leave = log.window.enter();
  try {
    yield* follow(source, from, signal);
  } finally {
    leave();
  }
}

async function* follow(
  source: FollowSource,
  from: SessionCursor,
  signal: AbortSignal,
): AsyncGenerator<Followed> {
  const { db, log } = source;
  const session = { sessionId: log.sessionId, incarnation: source.incarnation };
  let cursor = { ...from };
  let page: SharedPage = NO_EVENTS;
  // Live from now: who wants to know what was written before asks for the tail.
  let stderrSeen = log.stderr.total;
  do {
    for (const event of page.events) {
      cursor = { ...cursor, sequence: event.sequence };
      yield { cursor: encodeSessionCursor(session, cursor), event };
      if (signal.aborted) return;
    }
    if (!page.hasMore) {
      await log.changed(cursor, stderrSeen, signal);
      if (signal.aborted) return;
      if (log.isEnded) throw sessionNotFound(log.sessionId);
      const { tail } = log;
      const offset = tail ? offsetIn(cursor, tail) : 0;
      if (tail && log.sequence === cursor.sequence && tail.text.length > offset) {
        const event = deltaOf(log.sessionId, { ...cursor, offset }, tail);
        cursor = { ...cursor, serial: tail.serial, offset: tail.text.length };
        yield { cursor: encodeSessionCursor(session, cursor), event };
      }
    }
    if (log.stderr.total > stderrSeen) {
      const { text, total } = log.stderr.since(stderrSeen);
      stderrSeen = total;
      yield {
        cursor: encodeSessionCursor(session, cursor),
        event: stderrOf(log.sessionId, cursor, text),
      };
    }
    const isBehind = log.sequence > cursor.sequence;
    page = isBehind ? await log.window.after(cursor.sequence) : NO_EVENTS;
    // Sequences have no gaps, so what is missing here was cut off under the reader.
    const [next] = page.events;
    if (next && next.sequence > cursor.sequence + 1) {
      throw cursorExpired(await readSession(db, log.sessionId), cursor.sequence);
    }
  } while (!signal.aborted);
}

function stderrOf(sessionId: string, cursor: SessionCursor, text: string): SessionEvent {
  return {
    durability: "ephemeral",
    sessionId,
    afterSequence: cursor.sequence,
    promptId: null,
    type: OWN_EVENT.stderr,
    text,
  };
}

function deltaOf(sessionId: string, cursor: SessionCursor, tail: Tail): SessionEvent {
  const content = isJsonObject(tail.fields.content) ? tail.fields.content : {};
  const {
    durability: _durability,
    sequence: _sequence,
    timestamp: _timestamp,
    ...fields
  } = composeEvent(
    { sessionId, sequence: 0, timestamp: "", promptId: tail.promptId, type: tail.type },
    { ...tail.fields, content: { ...content, text: tail.text.slice(cursor.offset) } },
  );
  const type = tail.type === "agent_thought_chunk" ? tail.type : "agent_message_chunk";
  return { ...fields, durability: "ephemeral", afterSequence: cursor.sequence, type };
}
