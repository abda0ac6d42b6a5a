/** What permission requests and questions have in common: both wait, and both end once. */
import type { NotPendingReason } from "@signalbox/protocol";
import { type Database, prepareCached, type Sqlite } from "./database.ts";

export type RequestTable = "Permission" | "Question";

interface RequestRow {
  requestId: string;
  promptId: string | null;
}

export interface RequestScope {
  sessionId: string;
  /** One turn's; null for those outside any turn; left out for all. */
  promptId?: string | null;
  requestId?: string;
}

/** What an operator needs to know of a request's session. */
export interface OfSession {
  agent: string;
  cwd: string;
  title: string | null;
}

/** The open requests of a session, oldest first. */
export function readPendingInScope<R extends RequestRow>(
  sqlite: Sqlite,
  table: RequestTable,
  scope: RequestScope,
): R[] {
  const pending = prepareCached(
    sqlite,
    `SELECT * FROM ${table} WHERE sessionId = ? AND state = 'pending' ORDER BY requestedAt, rowid`,
  ).all(scope.sessionId) as R[];
  return pending.filter(
    (row) =>
      (scope.promptId === undefined || row.promptId === scope.promptId) &&
      (scope.requestId === undefined || row.requestId === scope.requestId),
  );
}

/** Requests and questions together: they share one limit. */
export function countPendingIn(sqlite: Sqlite, sessionId: string): number {
  const row = prepareCached(
    sqlite,
    `SELECT (SELECT count(*) FROM Permission WHERE sessionId = @sessionId AND state = 'pending')
          + (SELECT count(*) FROM Question WHERE sessionId = @sessionId AND state = 'pending') AS count`,
  ).get({ sessionId }) as { count: number };
  return row.count;
}

export function findRequest<R>(
  db: Database,
  table: RequestTable,
  requestId: string,
): Promise<R | undefined> {
  return db.read(
    (sqlite) =>
      prepareCached(sqlite, `SELECT * FROM ${table} WHERE requestId = ?`).get(requestId) as
        | R
        | undefined,
  );
}

const withSession = (table: RequestTable) =>
  `SELECT r.*, s.agent, s.cwd, s.title FROM ${table} r JOIN Session s ON s.sessionId = r.sessionId`;

/** Open requests over all sessions, oldest first, after the one named. */
export function readPendingPageOf<R>(
  db: Database,
  table: RequestTable,
  after: { requestedAt: number; requestId: string } | undefined,
  limit: number,
): Promise<(R & OfSession)[]> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `${withSession(table)} WHERE r.state = 'pending' AND (r.requestedAt, r.requestId) > (?, ?)
         ORDER BY r.requestedAt, r.requestId LIMIT ?`,
      ).all(after?.requestedAt ?? -1, after?.requestId ?? "", limit) as (R & OfSession)[],
  );
}

export function readPendingOfSessions<R>(
  db: Database,
  table: RequestTable,
  sessionIds: readonly string[],
): Promise<(R & OfSession)[]> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `${withSession(table)} WHERE r.state = 'pending'
           AND r.sessionId IN (SELECT value FROM json_each(?)) ORDER BY r.requestedAt, r.requestId`,
      ).all(JSON.stringify(sessionIds)) as (R & OfSession)[],
  );
}

/** Requests that ended since, for a watcher that was away. */
export function readResolvedSince<R>(
  db: Database,
  table: RequestTable,
  sinceMs: number,
): Promise<R[]> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `SELECT * FROM ${table} WHERE resolvedAt >= ? ORDER BY resolvedAt, requestId`,
      ).all(sinceMs) as R[],
  );
}

export interface RequestGrave {
  requestId: string;
  sessionId: string;
  reason: NotPendingReason;
  resolvedBy: string | null;
}

/** What is left of a request or question whose session was deleted. */
export function findRequestTombstone(
  db: Database,
  requestId: string,
): Promise<RequestGrave | undefined> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        "SELECT requestId, sessionId, reason, resolvedBy FROM PermissionTombstone WHERE requestId = ?",
      ).get(requestId) as RequestGrave | undefined,
  );
}

const TOMBSTONES_KEPT = 10_000;

/** Keeps the reasons for late answers of a session that is about to be deleted; a bounded number. */
export function buryRequestsInWrite(sqlite: Sqlite, sessionId: string, now: number): void {
  for (const [table, answered] of [
    ["Permission", "decided"],
    ["Question", "answered"],
  ] as const) {
    prepareCached(
      sqlite,
      `INSERT OR REPLACE INTO PermissionTombstone (requestId, sessionId, reason, resolvedBy, endedAt)
       SELECT requestId, sessionId,
         CASE state WHEN '${answered}' THEN 'already_resolved'
           ELSE ifnull(reason, 'session_deleted') END,
         resolvedBy, ? FROM ${table} WHERE sessionId = ?`,
    ).run(now, sessionId);
  }
  prepareCached(
    sqlite,
    `DELETE FROM PermissionTombstone WHERE requestId IN (
       SELECT requestId FROM PermissionTombstone ORDER BY endedAt DESC LIMIT -1 OFFSET ?)`,
  ).run(TOMBSTONES_KEPT);
}
