import { randomUUID } from "node:crypto";
import type { Actor, SessionStatus, StoredError } from "@signalbox/protocol";
import { appendAuditInWrite } from "./audit.ts";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import { tellFleetInWrite } from "./fleet-news.ts";
import { buryRequestsInWrite } from "./pending-requests.ts";
import type { Owner, SessionRow } from "./rows.ts";
import { addSearchSessionInWrite, removeSearchSessionInWrite } from "./search.ts";
import { foldInWrite, type SessionFold, sessionNotFound } from "./session-log.ts";
import { rollUpSessionInWrite } from "./usage-rollup.ts";

/** What an open decides for good, plus the first negotiation's answer. */
export interface NewSession extends Owner {
  sessionId: string;
  agent: string;
  cwd: string;
  additionalDirectories: string;
  mcpServers: string;
  permissionPolicy: string;
  skipOsInstructions: boolean;
  additionalInstructions: string;
  adopt: string | null;
  envSealed: string | null;
}

export interface Negotiated {
  agentSessionId: string;
  capabilities: string | null;
  agentInfo: string | null;
  fold: SessionFold;
}

/**
 * Creates the session. A reopened id counts on from the sequence its tombstone names, so that
 * no sequence is used twice.
 */
export function createSessionInWrite(
  sqlite: Sqlite,
  session: NewSession,
  negotiated: Negotiated,
  now: number,
): void {
  const grave = prepareCached(sqlite, "SELECT lastSequence FROM Tombstone WHERE sessionId = ?").get(
    session.sessionId,
  ) as { lastSequence: number } | undefined;
  const latest = grave?.lastSequence ?? 0;
  const row = {
    ...session,
    skipOsInstructions: session.skipOsInstructions ? 1 : 0,
    incarnation: randomUUID().slice(0, 8),
    latestSequence: latest,
    oldestSequence: latest + 1,
    now,
  };
  prepareCached(
    sqlite,
    `INSERT INTO Session (sessionId, incarnation, agent, cwd, permissionPolicy, latestSequence,
       oldestSequence, createdAt, updatedAt, ownerId, ownerEpoch)
     VALUES (@sessionId, @incarnation, @agent, @cwd, @permissionPolicy, @latestSequence,
       @oldestSequence, @now, @now, @ownerId, @ownerEpoch)`,
  ).run(row);
  prepareCached(
    sqlite,
    `INSERT INTO SessionDetail (sessionId, additionalDirectories, mcpServers, skipOsInstructions,
       additionalInstructions, adopt, envSealed)
     VALUES (@sessionId, @additionalDirectories, @mcpServers, @skipOsInstructions,
       @additionalInstructions, @adopt, @envSealed)`,
  ).run(row);
  addSearchSessionInWrite(sqlite, session.sessionId);
  saveNegotiatedInWrite(sqlite, session.sessionId, negotiated);
  tellFleetInWrite(sqlite, { type: "session_created", sessionId: session.sessionId }, now);
}

export function saveNegotiatedInWrite(
  sqlite: Sqlite,
  sessionId: string,
  negotiated: Negotiated,
): void {
  prepareCached(sqlite, "UPDATE Session SET agentSessionId = ? WHERE sessionId = ?").run(
    negotiated.agentSessionId,
    sessionId,
  );
  prepareCached(
    sqlite,
    "UPDATE SessionDetail SET capabilities = ?, agentInfo = ? WHERE sessionId = ?",
  ).run(negotiated.capabilities, negotiated.agentInfo, sessionId);
  foldInWrite(sqlite, sessionId, negotiated.fold);
}

/** @returns false when there is no such session */
export function replaceEnvInWrite(sqlite: Sqlite, sessionId: string, envSealed: string): boolean {
  const { changes } = prepareCached(
    sqlite,
    "UPDATE SessionDetail SET envSealed = ? WHERE sessionId = ?",
  ).run(envSealed, sessionId);
  return changes > 0;
}

export function setLastErrorInWrite(
  sqlite: Sqlite,
  sessionId: string,
  error: StoredError | null,
): void {
  prepareCached(sqlite, "UPDATE Session SET lastError = ? WHERE sessionId = ?").run(
    error === null ? null : JSON.stringify(error),
    sessionId,
  );
}

const WITH_DETAIL =
  "SELECT s.*, d.* FROM Session s JOIN SessionDetail d ON d.sessionId = s.sessionId";

export function findSession(db: Database, sessionId: string): Promise<SessionRow | undefined> {
  return db.read(
    (sqlite) =>
      prepareCached(sqlite, `${WITH_DETAIL} WHERE s.sessionId = ?`).get(sessionId) as
        | SessionRow
        | undefined,
  );
}

/** @throws AppError `session_not_found` */
export async function readSession(db: Database, sessionId: string): Promise<SessionRow> {
  const row = await findSession(db, sessionId);
  if (!row) throw sessionNotFound(sessionId);
  return row;
}

export interface SessionFilter {
  agent?: string | undefined;
  status?: SessionStatus | undefined;
  search?: string | undefined;
  after?: { updatedAt: number; sessionId: string } | undefined;
  limit: number;
}

const IS_WAITING = `(EXISTS (SELECT 1 FROM Permission p WHERE p.sessionId = s.sessionId AND p.state = 'pending')
    OR EXISTS (SELECT 1 FROM Question q WHERE q.sessionId = s.sessionId AND q.state = 'pending'))`;
const IS_RUNNING =
  "EXISTS (SELECT 1 FROM Prompt p WHERE p.sessionId = s.sessionId AND p.startedAt IS NOT NULL AND p.endedAt IS NULL)";

const STATUS_WHERE: Record<SessionStatus, string> = {
  waiting: IS_WAITING,
  running: `${IS_RUNNING} AND NOT ${IS_WAITING}`,
  failed: `s.lastError IS NOT NULL AND NOT ${IS_RUNNING} AND NOT ${IS_WAITING}`,
  idle: `s.lastError IS NULL AND NOT ${IS_RUNNING} AND NOT ${IS_WAITING}`,
};

/** Sessions by `updatedAt` descending, then id: a keyset page, not a snapshot. */
export function listSessionRows(db: Database, filter: SessionFilter): Promise<SessionRow[]> {
  const { sql, parameters } = sessionListQuery(filter);
  return db.read((sqlite) => prepareCached(sqlite, sql).all(...parameters) as SessionRow[]);
}

export function sessionListQuery(filter: SessionFilter): {
  sql: string;
  parameters: (string | number)[];
} {
  const where = ["1 = 1"];
  const parameters: (string | number)[] = [];
  if (filter.agent !== undefined) {
    // The plus keeps SQLite in the order of `updatedAt`: by agent it would sort all there are.
    where.push("+s.agent = ?");
    parameters.push(filter.agent);
  }
  if (filter.status !== undefined) where.push(`(${STATUS_WHERE[filter.status]})`);
  if (filter.search) {
    where.push(
      "(instr(lower(s.sessionId), lower(?)) > 0 OR instr(lower(ifnull(s.title, '')), lower(?)) > 0 OR instr(lower(s.cwd), lower(?)) > 0)",
    );
    parameters.push(filter.search, filter.search, filter.search);
  }
  if (filter.after) {
    // The first condition alone lets the index begin where the page does.
    where.push("s.updatedAt <= ? AND (s.updatedAt < ? OR s.sessionId > ?)");
    parameters.push(filter.after.updatedAt, filter.after.updatedAt, filter.after.sessionId);
  }
  const sql = `${WITH_DETAIL} WHERE ${where.join(" AND ")}
    ORDER BY s.updatedAt DESC, s.sessionId ASC LIMIT ?`;
  return { sql, parameters: [...parameters, filter.limit] };
}

/**
 * Removes everything of a session and leaves a tombstone, the reasons for late answers, a row in
 * the audit log and the news for the fleet feed. Pending requests must have been ended before.
 *
 * @returns false when there was no such session
 */
export function deleteSessionInWrite(
  sqlite: Sqlite,
  target: { sessionId: string; actor: Actor; address: string | null },
  now: number,
): boolean {
  const { sessionId } = target;
  const row = prepareCached(sqlite, "SELECT latestSequence FROM Session WHERE sessionId = ?").get(
    sessionId,
  ) as { latestSequence: number } | undefined;
  if (!row) return false;
  buryRequestsInWrite(sqlite, sessionId, now);
  rollUpSessionInWrite(sqlite, sessionId);
  for (const table of [
    "Permission",
    "Question",
    "OpenMessage",
    "Event",
    "Prompt",
    "SessionDetail",
    "Session",
  ]) {
    prepareCached(sqlite, `DELETE FROM ${table} WHERE sessionId = ?`).run(sessionId);
  }
  removeSearchSessionInWrite(sqlite, sessionId);
  prepareCached(
    sqlite,
    "INSERT OR REPLACE INTO Tombstone (sessionId, lastSequence, deletedAt) VALUES (?, ?, ?)",
  ).run(sessionId, row.latestSequence, now);
  tellFleetInWrite(sqlite, { type: "session_deleted", sessionId }, now);
  appendAuditInWrite(
    sqlite,
    {
      actor: target.actor,
      address: target.address,
      action: "sessions.delete",
      sessionId,
      target: null,
      outcome: "ok",
      details: { lastSequence: row.latestSequence },
    },
    now,
  );
  return true;
}

const BOUND = "SELECT 1 FROM Session WHERE agent = ? AND agentSessionId = ?";

/** Whether a session has this one of the agent's own. */
export function isAgentSessionBoundIn(sqlite: Sqlite, agent: string, id: string): boolean {
  return prepareCached(sqlite, BOUND).get(agent, id) !== undefined;
}

export function isAgentSessionBound(db: Database, agent: string, id: string): Promise<boolean> {
  return db.read((sqlite) => isAgentSessionBoundIn(sqlite, agent, id));
}

export function countSessionsIn(sqlite: Sqlite): number {
  const row = prepareCached(sqlite, "SELECT count(*) AS count FROM Session").get();
  return Number((row as { count: number | bigint }).count);
}

export function countSessions(db: Database): Promise<number> {
  return db.prisma.session.count();
}

/** Sessions that changed since, and ids deleted since, for a watcher that was away. */
export function readChangedSince(
  db: Database,
  sinceMs: number,
): Promise<{ sessions: SessionRow[]; deleted: { sessionId: string; deletedAt: number }[] }> {
  return db.read((sqlite) => ({
    sessions: prepareCached(
      sqlite,
      `${WITH_DETAIL} WHERE s.updatedAt >= ? ORDER BY s.updatedAt, s.sessionId`,
    ).all(sinceMs) as SessionRow[],
    deleted: prepareCached(
      sqlite,
      `SELECT sessionId, deletedAt FROM Tombstone t WHERE deletedAt >= ?
         AND NOT EXISTS (SELECT 1 FROM Session s WHERE s.sessionId = t.sessionId)
       ORDER BY deletedAt`,
    ).all(sinceMs) as { sessionId: string; deletedAt: number }[],
  }));
}
