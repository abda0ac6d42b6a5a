/** The audit log: rows that are added and never changed, each bound to the one before by its hash. */
import { createHash } from "node:crypto";
import {
  type Actor,
  type AuditChainFields,
  auditChainText,
  type JsonObject,
} from "@signalbox/protocol";
import { type Database, prepareCached, type Sqlite } from "./database.ts";

export interface AuditEntry {
  actor: Actor;
  address: string | null;
  action: string;
  sessionId: string | null;
  target: string | null;
  outcome: string;
  details: JsonObject;
}

/** A row as it is stored. */
export interface AuditRecord {
  id: number;
  timestamp: number;
  actorKind: string;
  actorName: string;
  address: string | null;
  action: string;
  sessionId: string | null;
  target: string | null;
  outcome: string;
  details: string;
  hash: string;
}

/** Each row's hash covers the row before it, so that a removed or edited row shows. */
export function appendAuditInWrite(sqlite: Sqlite, entry: AuditEntry, now: number): void {
  const previous = prepareCached(sqlite, "SELECT hash FROM Audit ORDER BY id DESC LIMIT 1").get() as
    | { hash: string }
    | undefined;
  const fields: AuditChainFields = [
    now,
    entry.actor.kind,
    entry.actor.name,
    entry.address,
    entry.action,
    entry.sessionId,
    entry.target,
    entry.outcome,
    JSON.stringify(entry.details),
  ];
  prepareCached(
    sqlite,
    `INSERT INTO Audit (timestamp, actorKind, actorName, address, action, sessionId, target,
       outcome, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...fields, hashOf(previous?.hash ?? "", fields));
}

function hashOf(previousHash: string, fields: AuditChainFields): string {
  return createHash("sha256").update(auditChainText(previousHash, fields)).digest("hex");
}

/** Adds the row of an act that changes nothing else in the database. */
export function appendAudit(db: Database, entry: AuditEntry): Promise<void> {
  return db.write((sqlite) => appendAuditInWrite(sqlite, entry, Date.now()));
}

/** Rows before `beforeId`, newest first. */
export function readAudit(
  db: Database,
  query: { sessionId?: string | undefined; beforeId?: number | undefined; limit: number },
): Promise<AuditRecord[]> {
  const { sessionId, beforeId = Number.MAX_SAFE_INTEGER, limit } = query;
  return db.read((sqlite) => {
    const where = sessionId === undefined ? "" : "AND sessionId = ?";
    const statement = prepareCached(
      sqlite,
      `SELECT * FROM Audit WHERE id < ? ${where} ORDER BY id DESC LIMIT ?`,
    );
    const rows =
      sessionId === undefined
        ? statement.all(beforeId, limit)
        : statement.all(beforeId, sessionId, limit);
    return rows as AuditRecord[];
  });
}

const VERIFY_BATCH_ROWS = 1_000;

/**
 * Recomputes the chain from its first row. Rows cut off at the end leave no trace in the chain
 * itself: compare `count` with what you knew.
 *
 * @returns how many rows hold, and the id of the first that does not
 */
export async function verifyAudit(
  db: Database,
): Promise<{ count: number; brokenId: number | null }> {
  let count = 0;
  let lastId = 0;
  let hash = "";
  for (;;) {
    const rows = await db.read(
      (sqlite) =>
        prepareCached(sqlite, "SELECT * FROM Audit WHERE id > ? ORDER BY id LIMIT ?").all(
          lastId,
          VERIFY_BATCH_ROWS,
        ) as AuditRecord[],
    );
    if (rows.length === 0) return { count, brokenId: null };
    for (const row of rows) {
      if (row.hash !== auditHash(hash, row)) return { count, brokenId: row.id };
      hash = row.hash;
      lastId = row.id;
      count += 1;
    }
  }
}

/** What a row's hash must be, after the row with `previousHash`. */
export function auditHash(previousHash: string, row: AuditRecord): string {
  return hashOf(previousHash, hashedFields(row));
}

function hashedFields(row: AuditRecord): AuditChainFields {
  return [
    row.timestamp,
    row.actorKind,
    row.actorName,
    row.address,
    row.action,
    row.sessionId,
    row.target,
    row.outcome,
    row.details,
  ];
}
