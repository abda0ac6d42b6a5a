import { type Database, prepareCached } from "./database.ts";
import { type HistoryFigures, historyFiguresIn, messagesIn } from "./retention.ts";
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

/** A page holds no more than this, but always one event. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

export interface EventPage {
  rows: EventRow[];
  /** The session as the page saw it; undefined when it is gone. */
  figures: HistoryFigures | undefined;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
}

/** One page in ascending order: after `after`, else the newest before `before`, else the newest. */
export function readEventPage(db: Database, query: EventPageQuery): Promise<EventPage> {
  return db.read((sqlite) => {
    const types = query.types ? JSON.stringify(query.types) : null;
    const ofTypes = types === null ? "" : "AND type IN (SELECT value FROM json_each(?))";
    const typeParameters = types === null ? [] : [types];
    const select = (condition: string, order: string, bound: number, limit: number): EventRow[] => {
      const found = prepareCached(
        sqlite,
        `SELECT * FROM Event WHERE sessionId = ? AND ${condition} ${ofTypes}
         ORDER BY sequence ${order} LIMIT ?`,
      ).iterate(query.sessionId, bound, ...typeParameters, limit) as IterableIterator<EventRow>;
      const rows: EventRow[] = [];
      let bytes = 0;
      for (const row of found) {
        bytes += row.fields.length;
        if (rows.length > 0 && bytes > MAX_PAGE_BYTES) break;
        rows.push(row);
      }
      return rows;
    };
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
      figures: historyFiguresIn(sqlite, query.sessionId),
      hasMoreBefore: select("sequence < ?", "DESC", first, 1).length > 0,
      hasMoreAfter: select("sequence > ?", "ASC", last, 1).length > 0,
    };
  });
}

/**
 * The agent's committed messages of one turn, in order, as JSON text; null when they were pruned
 * and too large to be kept.
 */
export function readTurnMessages(db: Database, turn: PromptRow): Promise<string[] | null> {
  return db.read((sqlite) => {
    // Looked up here: a prune may have come between the caller's read of the row and this one.
    const row = prepareCached(
      sqlite,
      "SELECT result FROM Prompt WHERE sessionId = ? AND promptId = ?",
    ).get(turn.sessionId, turn.promptId) as Pick<PromptRow, "result"> | undefined;
    if (row && row.result !== null) return JSON.parse(row.result) as string[] | null;
    return messagesIn(sqlite, turn).map(({ fields }) => fields);
  });
}

/**
 * What was said before `beforeSequence`, newest first, until it has `maxBytes`. `rowBytes` is what
 * one event counts at most.
 */
export function readNewestMessages(
  db: Database,
  session: { sessionId: string; beforeSequence: number },
  { maxEvents, maxBytes, rowBytes }: { maxEvents: number; maxBytes: number; rowBytes: number },
): Promise<{ rows: EventRow[]; hasMore: boolean }> {
  return db.read((sqlite) => {
    const found = prepareCached(
      sqlite,
      `SELECT * FROM Event WHERE sessionId = ? AND sequence < ?
         AND type IN ('user_message_chunk', 'agent_message_chunk', 'tool_call')
       ORDER BY sequence DESC LIMIT ?`,
    ).iterate(
      session.sessionId,
      session.beforeSequence,
      maxEvents + 1,
    ) as IterableIterator<EventRow>;
    const rows: EventRow[] = [];
    let bytes = 0;
    for (const row of found) {
      if (rows.length === maxEvents || bytes > maxBytes) return { rows, hasMore: true };
      rows.push(row);
      bytes += Math.min(rowBytes, row.fields.length);
    }
    return { rows, hasMore: false };
  });
}
