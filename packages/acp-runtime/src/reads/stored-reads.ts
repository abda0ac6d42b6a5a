/** Queries that are answered from rows alone; none starts, restores or asks an adapter. */
import {
  listSessionRows,
  type OfSession,
  type PermissionRow,
  type QuestionRow,
  type RequestTable,
  readEventPage,
  readPendingPageOf,
  readSession,
  type SessionRow,
} from "@signalbox/db";
import {
  type AcpLimits,
  type AdapterPresence,
  AppError,
  type JsonObject,
  limitPath,
  type PendingPermission,
  type PendingQuestion,
  parseSessionId,
  type SessionConfig,
  type SessionInfo,
} from "@signalbox/protocol";
import type { HistoryPage, HistoryQuery, ListQuery, PageQuery } from "../queries.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import {
  eventOf,
  objectOf,
  pendingPermissionOf,
  pendingQuestionOf,
  sessionInfos,
} from "../sessions/session-view.ts";
import { decodeListCursor, encodeListCursor } from "./cursor.ts";

const DEFAULT_LIST_LIMIT = 50;
const DEFAULT_HISTORY_LIMIT = 100;

export type PresenceOf = (sessionId: string) => AdapterPresence;

/** @throws AppError `list_limit` outside 1..`maxSessionListEntries` */
export function listLimit(
  limit: number | undefined,
  limits: Pick<AcpLimits, "maxSessionListEntries">,
): number {
  const max = limits.maxSessionListEntries;
  if (limit === undefined) return Math.min(DEFAULT_LIST_LIMIT, max);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw new AppError("list_limit", `limit must be an integer from 1 to ${max}`, {
    details: { field: "limit", limit: limitPath("maxSessionListEntries"), max, actual: limit },
  });
}

export async function getSessionInfo(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  sessionId: string,
): Promise<SessionInfo> {
  const row = await readSession(deps.db, parseSessionId(sessionId));
  const [info] = await sessionInfos(deps.db, [row], presenceOf);
  if (!info) throw new Error(`session ${sessionId} has no view`);
  return info;
}

export async function listSessions(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  query: ListQuery,
): Promise<{ sessions: SessionInfo[]; nextCursor: string | null }> {
  const limit = listLimit(query.limit, deps.limits);
  const { cursor, agent, status, search } = query;
  const [updatedAt, sessionId] =
    cursor === undefined ? [undefined, undefined] : decodeListCursor("sessions.list", cursor);
  const after =
    updatedAt === undefined || sessionId === undefined ? undefined : { updatedAt, sessionId };
  const rows = await listSessionRows(deps.db, { agent, status, search, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor =
    rows.length > limit && last
      ? encodeListCursor("sessions.list", [last.updatedAt, last.sessionId])
      : null;
  return { sessions: await sessionInfos(deps.db, page, presenceOf), nextCursor };
}

export async function listPendingPermissions(
  deps: RuntimeDeps,
  query: PageQuery,
): Promise<{ requests: PendingPermission[]; nextCursor: string | null }> {
  const page = await pendingPage<PermissionRow>(deps, "Permission", "permissions.pending", query);
  return { requests: page.rows.map(pendingPermissionOf), nextCursor: page.nextCursor };
}

export async function listPendingQuestions(
  deps: RuntimeDeps,
  query: PageQuery,
): Promise<{ requests: PendingQuestion[]; nextCursor: string | null }> {
  const page = await pendingPage<QuestionRow>(deps, "Question", "questions.pending", query);
  return { requests: page.rows.map(pendingQuestionOf), nextCursor: page.nextCursor };
}

async function pendingPage<R extends { requestedAt: number; requestId: string }>(
  deps: RuntimeDeps,
  table: RequestTable,
  list: "permissions.pending" | "questions.pending",
  query: PageQuery,
): Promise<{ rows: (R & OfSession)[]; nextCursor: string | null }> {
  const limit = listLimit(query.limit, deps.limits);
  const [requestedAt, requestId] =
    query.cursor === undefined ? [undefined, undefined] : decodeListCursor(list, query.cursor);
  const after =
    requestedAt === undefined || requestId === undefined ? undefined : { requestedAt, requestId };
  const found = await readPendingPageOf<R>(deps.db, table, after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor =
    found.length > limit && last
      ? encodeListCursor(list, [last.requestedAt, last.requestId])
      : null;
  return { rows, nextCursor };
}

export async function readHistory(deps: RuntimeDeps, query: HistoryQuery): Promise<HistoryPage> {
  const row = await readSession(deps.db, parseSessionId(query.sessionId));
  const { before, after } = query;
  assertHistoryCursor(before, after);
  const max = deps.limits.maxHistoryPageEntries;
  const limit = query.limit ?? Math.min(DEFAULT_HISTORY_LIMIT, max);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw new AppError("history_limit", `limit must be an integer from 1 to ${max}`, {
      details: { field: "limit", limit: limitPath("maxHistoryPageEntries"), max, actual: limit },
    });
  }
  const from = after === undefined ? undefined : resolveAfter(row, after, row.latestSequence + 1);
  if (before !== undefined) assertBefore(row, before);
  const page = await readEventPage(deps.db, {
    sessionId: row.sessionId,
    before,
    after: from,
    limit,
    types: query.types,
  });
  const seen = { ...row, ...page.figures };
  // History may have been cut between the two reads.
  if (from !== undefined) resolveAfter(seen, after === 0 ? 0 : from, seen.latestSequence + 1);
  return {
    events: page.rows.map(eventOf),
    hasMoreBefore: page.hasMoreBefore,
    hasMoreAfter: page.hasMoreAfter,
    oldestSequence: seen.oldestSequence,
    latestSequence: seen.latestSequence,
  };
}

function assertHistoryCursor(before: number | undefined, after: number | undefined): void {
  const invalid = (field: string, problem: string) =>
    new AppError("invalid_history_cursor", `${field} ${problem}`, { details: { field } });
  if (before !== undefined && after !== undefined) {
    throw invalid("before", "and after exclude each other");
  }
  for (const [field, value] of [["before", before] as const, ["after", after] as const]) {
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 0) {
      throw invalid(field, "must be an integer of 0 or more");
    }
  }
}

/**
 * The sequence to read after: 0 means from the oldest retained event.
 *
 * @param latest the newest cursor that may be named; a page may begin one beyond the newest event
 *
 * @throws AppError `invalid_history_cursor`, `history_cursor_expired` or `history_cursor_ahead`
 */
export function resolveAfter(
  row: SessionRow,
  after: number,
  latest: number = row.latestSequence,
): number {
  assertHistoryCursor(undefined, after);
  if (after === 0) return row.oldestSequence - 1;
  if (after < row.oldestSequence - 1) throw cursorExpired(row, after);
  if (after > latest) throw cursorAhead(row, after);
  return after;
}

function assertBefore(row: SessionRow, before: number): void {
  if (before < row.oldestSequence && before !== row.oldestSequence - 1)
    throw cursorExpired(row, before);
  if (before > row.latestSequence + 1) throw cursorAhead(row, before);
}

export function cursorExpired(row: SessionRow, cursor: number): AppError {
  return new AppError(
    "history_cursor_expired",
    `events before ${row.oldestSequence} are no longer kept`,
    { details: { sessionId: row.sessionId, oldestSequence: row.oldestSequence, cursor } },
  );
}

export function cursorAhead(row: SessionRow, cursor: number): AppError {
  return new AppError(
    "history_cursor_ahead",
    `the session's latest event is ${row.latestSequence}, the cursor is ${cursor}`,
    { details: { sessionId: row.sessionId, latestSequence: row.latestSequence, cursor } },
  );
}

export async function readConfig(deps: RuntimeDeps, sessionId: string): Promise<SessionConfig> {
  const row = await readSession(deps.db, parseSessionId(sessionId));
  return configOf(row);
}

export function configOf(row: SessionRow): SessionConfig {
  return {
    revision: row.configRevision,
    options: JSON.parse(row.configOptions) as JsonObject[],
    modes: objectOf(row.modes),
    availableCommands: JSON.parse(row.availableCommands) as JsonObject[],
  };
}
