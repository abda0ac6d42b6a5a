import { readSession, searchEvents, wordsOf } from "@signalbox/db";
import { AppError, parseSessionId } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { timestampOf } from "../sessions/session-view.ts";
import { decodeListCursor, encodeListCursor } from "./cursor.ts";
import { listLimit } from "./stored-reads.ts";

const LIST = "sessions.search";
const MAX_QUERY_CHARACTERS = 1_000;
const MAX_WORDS = 32;

export interface HistorySearch {
  query: string;
  /** Omitted: all sessions. */
  sessionId?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface HistoryHit {
  sessionId: string;
  sequence: number;
  timestamp: string;
  type: string;
  snippet: string;
}

/**
 * Finds what was said, in one session or in all.
 *
 * @throws AppError `bad_request` for a query without a word or with too many, `session_not_found`,
 *   `list_limit`, `invalid_list_cursor`
 */
export async function searchHistory(
  deps: RuntimeDeps,
  { query, sessionId, cursor, limit: wanted }: HistorySearch,
): Promise<{ hits: HistoryHit[]; nextCursor: string | null }> {
  const words = searchWords(query);
  const limit = listLimit(wanted, deps.limits);
  if (sessionId !== undefined) await readSession(deps.db, parseSessionId(sessionId));
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const { hits, hasMore } = await searchEvents(deps.db, { words, sessionId, after, limit });
  const last = hits.at(-1)?.place;
  return {
    hits: hits.map(({ hit }) => ({ ...hit, timestamp: timestampOf(hit.timestamp) })),
    nextCursor: hasMore && last ? encodeListCursor(LIST, [last.sequence, String(last.id)]) : null,
  };
}

function placeOf(cursor: string): { id: number; sequence: number } {
  const [sequence, text] = decodeListCursor(LIST, cursor);
  const id = Number(text);
  if (Number.isSafeInteger(sequence) && sequence > 0 && Number.isSafeInteger(id) && id > 0) {
    return { id, sequence };
  }
  throw new AppError("invalid_list_cursor", `cursor is not one of ${LIST}`, {
    details: { field: "cursor" },
  });
}

function searchWords(query: string): string[] {
  const refuse = (message: string, max: number, actual: number) =>
    new AppError("bad_request", message, { details: { field: "query", max, actual } });
  if (query.length > MAX_QUERY_CHARACTERS) {
    const max = MAX_QUERY_CHARACTERS;
    throw refuse(`query has more than ${max} characters`, max, query.length);
  }
  const words = wordsOf(query);
  if (words.length === 0) {
    throw new AppError("bad_request", "query has no word to search for", {
      details: { field: "query" },
    });
  }
  if (words.length > MAX_WORDS) {
    throw refuse(`query has more than ${MAX_WORDS} words`, MAX_WORDS, words.length);
  }
  return words;
}
