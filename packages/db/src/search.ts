/** The full-text index over history, kept in the transaction of the events it is about. */
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import { matchOf, searchedText, snippetOf, spacedText, wordsOf } from "./search-text.ts";

/** Adds what an event says. Runs in the write that appends it. */
export function indexEventInWrite(
  sqlite: Sqlite,
  event: { sessionId: string; sequence: number; type: string; fields: string },
): void {
  const text = searchedText(event);
  if (text === null) return;
  prepareCached(
    sqlite,
    `INSERT INTO Search (rowid, text)
     SELECT (id << 32) | ?, ? FROM SearchSession WHERE sessionId = ?`,
  ).run(event.sequence, spacedText(text), event.sessionId);
}

export function addSearchSessionInWrite(sqlite: Sqlite, sessionId: string): void {
  prepareCached(sqlite, "INSERT INTO SearchSession (sessionId) VALUES (?)").run(sessionId);
}

/** After the session's events, whose removal needs the number. */
export function removeSearchSessionInWrite(sqlite: Sqlite, sessionId: string): void {
  prepareCached(sqlite, "DELETE FROM SearchSession WHERE sessionId = ?").run(sessionId);
}

export interface SearchHit {
  sessionId: string;
  sequence: number;
  timestamp: number;
  type: string;
  /** One line of the text around the first word found. */
  snippet: string;
}

export interface SearchQuery {
  words: readonly string[];
  sessionId?: string | undefined;
  /** Hits behind this one, as the page before ended. */
  after?: { id: number; sequence: number } | undefined;
  limit: number;
}

export interface FoundEvent {
  hit: SearchHit;
  /** The next page goes on from the last one's. */
  place: { id: number; sequence: number };
}

/** Of stored text, after which a page ends. */
const PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Events that have every word; the last one may be the beginning of a word. The sessions that
 * were opened last come first, and in each the newest event.
 *
 * The words are quoted, so nothing of the index's own language is in what a caller wrote.
 *
 * @returns fewer than `limit` with `hasMore` when their texts are large: each is read whole for
 *   its snippet, and nothing else is read meanwhile
 */
export function searchEvents(
  db: Database,
  query: SearchQuery,
): Promise<{ hits: FoundEvent[]; hasMore: boolean }> {
  const { words, sessionId, after, limit } = query;
  const match = matchOf(words);
  const where = ["Search MATCH @match"];
  if (sessionId !== undefined) {
    where.push(
      `f.rowid >= ((SELECT id FROM SearchSession WHERE sessionId = @sessionId) << 32)`,
      `f.rowid < (((SELECT id FROM SearchSession WHERE sessionId = @sessionId) + 1) << 32)`,
    );
  }
  if (after) where.push("f.rowid < ((@id << 32) | @sequence)");
  const sql = `SELECT s.id, e.sessionId, e.sequence, e.timestamp, e.type, e.fields
    FROM Search f
    CROSS JOIN SearchSession s ON s.id = f.rowid >> 32
    CROSS JOIN Event e ON e.sessionId = s.sessionId AND e.sequence = f.rowid & 4294967295
    WHERE ${where.join(" AND ")} ORDER BY f.rowid DESC LIMIT @limit`;
  return db.read((sqlite) => {
    const rows = prepareCached(sqlite, sql).iterate({
      match,
      limit: limit + 1,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(after ?? {}),
    }) as IterableIterator<Omit<SearchHit, "snippet"> & { id: number; fields: string }>;
    const hits: FoundEvent[] = [];
    let bytes = 0;
    for (const { id, fields, ...hit } of rows) {
      if (hits.length === limit || bytes > PAGE_BYTES) return { hits, hasMore: true };
      bytes += fields.length;
      const snippet = snippetOf(searchedText({ type: hit.type, fields }) ?? "", words);
      hits.push({ hit: { ...hit, snippet }, place: { id, sequence: hit.sequence } });
    }
    return { hits, hasMore: false };
  });
}

export { wordsOf };
