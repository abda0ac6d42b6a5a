import { type Database, prepareCached, type Sqlite } from "./database.ts";
import type { EventRow, PromptRow } from "./rows.ts";

/** What a reader that goes on is handed at once; a single larger event is handed alone. */
const PAGE_BYTES = 2 * 1024 * 1024;

export interface EventsAfter {
  rows: EventRow[];
  hasMore: boolean;
}

/** Committed events after `after`, oldest first: at most `limit`, and about 2 MiB. */
export function readEventsAfter(
  db: Database,
  sessionId: string,
  after: number,
  limit: number,
): Promise<EventsAfter> {
  return db.read((sqlite) => {
    const found = prepareCached(
      sqlite,
      "SELECT * FROM Event WHERE sessionId = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ).iterate(sessionId, after, limit + 1) as IterableIterator<EventRow>;
    const rows: EventRow[] = [];
    let bytes = 0;
    for (const row of found) {
      if (rows.length === limit || bytes > PAGE_BYTES) return { rows, hasMore: true };
      rows.push(row);
      bytes += row.fields.length;
    }
    return { rows, hasMore: false };
  });
}

export interface EventPageQuery {
  sessionId: string;
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
  types?: readonly string[] | undefined;
}

export interface EventPage {
  rows: EventRow[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
}

/** One page in ascending order: after `after`, else the newest before `before`, else the newest. */
export function readEventPage(db: Database, query: EventPageQuery): Promise<EventPage> {
  return db.read((sqlite) => {
    const types = query.types ? JSON.stringify(query.types) : null;
    const ofTypes = types === null ? "" : "AND type IN (SELECT value FROM json_each(?))";
    const typeParameters = types === null ? [] : [types];
    const select = (condition: string, order: string, bound: number, limit: number): EventRow[] =>
      prepareCached(
        sqlite,
        `SELECT * FROM Event WHERE sessionId = ? AND ${condition} ${ofTypes}
         ORDER BY sequence ${order} LIMIT ?`,
      ).all(query.sessionId, bound, ...typeParameters, limit) as EventRow[];
    const rows =
      query.after === undefined
        ? select(
            "sequence < ?",
            "DESC",
            query.before ?? Number.MAX_SAFE_INTEGER,
            query.limit,
          ).reverse()
        : select("sequence > ?", "ASC", query.after, query.limit);
    const first = rows[0]?.sequence ?? (query.after ?? 0) + 1;
    const last = rows.at(-1)?.sequence ?? (query.before ?? Number.MAX_SAFE_INTEGER) - 1;
    return {
      rows,
      hasMoreBefore: select("sequence < ?", "DESC", first, 1).length > 0,
      hasMoreAfter: select("sequence > ?", "ASC", last, 1).length > 0,
    };
  });
}

/** The agent's committed messages of one turn, in order. */
export function readTurnMessages(
  db: Database,
  turn: Pick<PromptRow, "sessionId" | "promptId" | "startSequence" | "endSequence">,
): Promise<EventRow[]> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `SELECT * FROM Event WHERE sessionId = ? AND sequence BETWEEN ? AND ?
           AND promptId = ? AND type = 'agent_message_chunk' ORDER BY sequence`,
      ).all(
        turn.sessionId,
        turn.startSequence ?? 0,
        turn.endSequence ?? Number.MAX_SAFE_INTEGER,
        turn.promptId,
      ) as EventRow[],
  );
}

/** The newest events of a session, newest first, for the continuation preamble. */
export function readNewestMessages(
  db: Database,
  sessionId: string,
  limit: number,
): Promise<EventRow[]> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `SELECT * FROM Event WHERE sessionId = ?
           AND type IN ('user_message_chunk', 'agent_message_chunk', 'tool_call')
         ORDER BY sequence DESC LIMIT ?`,
      ).all(sessionId, limit) as EventRow[],
  );
}

export function latestSequenceIn(sqlite: Sqlite, sessionId: string): number | undefined {
  const row = prepareCached(sqlite, "SELECT latestSequence FROM Session WHERE sessionId = ?").get(
    sessionId,
  ) as { latestSequence: number } | undefined;
  return row?.latestSequence;
}
