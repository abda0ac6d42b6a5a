/** Tokens of services and logins of the console: rows of one table, known by the hash of a secret. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Actor, SCOPES, type Scope } from "@signalbox/protocol";
import { appendAuditInWrite } from "./audit.ts";
import { type Database, prepareCached, type Sqlite } from "./database.ts";

export type TokenKind = "token" | "login";

export interface TokenRecord {
  id: string;
  name: string;
  kind: TokenKind;
  scopes: Scope[];
  createdAtMs: number;
  lastUsedAtMs: number | null;
  expiresAtMs: number | null;
  /** Of a login: the console's origin that it holds for; null for any. */
  origin: string | null;
  /** Of a login: where it came from. */
  address: string | null;
}

export interface NewToken {
  name: string;
  kind: TokenKind;
  scopes: readonly Scope[];
  expiresAtMs: number | null;
  origin?: string | null;
  address?: string | null;
}

/** Who did it and from where, for the audit log. */
export interface Doer {
  actor: Actor;
  address: string | null;
}

interface TokenRow {
  id: string;
  name: string;
  kind: string;
  scopes: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  origin: string | null;
  address: string | null;
}

const SECRET_BYTES = 32;

/** Secrets are long and random, so a plain hash is enough to store. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function newSecret(kind: TokenKind): string {
  return `sb_${kind}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** Stores a token, with its row in the audit log; only the secret's hash is kept. */
export function createToken(
  db: Database,
  token: NewToken,
  secret: string,
  { actor, address }: Doer,
): Promise<TokenRecord> {
  return db.write((sqlite) => {
    const record = insertToken(sqlite, token, secret, Date.now());
    const { id, name, kind, scopes, expiresAtMs } = record;
    appendAuditInWrite(
      sqlite,
      {
        actor,
        address,
        action: kind === "login" ? "logins.create" : "tokens.create",
        sessionId: null,
        target: id,
        outcome: "ok",
        details: { name, scopes, expiresAtMs },
      },
      Date.now(),
    );
    return record;
  });
}

function insertToken(sqlite: Sqlite, token: NewToken, secret: string, now: number): TokenRecord {
  const id = randomUUID();
  const { name, kind, scopes, expiresAtMs, origin = null, address = null } = token;
  prepareCached(
    sqlite,
    `INSERT INTO Token (id, name, kind, secretHash, scopes, createdAt, expiresAt, origin, address)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, name, kind, hashSecret(secret), scopes.join(""), now, expiresAtMs, origin, address);
  return {
    id,
    name,
    kind,
    scopes: [...scopes],
    createdAtMs: now,
    lastUsedAtMs: null,
    expiresAtMs,
    origin,
    address,
  };
}

/** The live token of this secret; undefined when unknown, revoked or expired. */
export async function findToken(db: Database, secret: string): Promise<TokenRecord | undefined> {
  const secretHash = hashSecret(secret);
  const row = await db.read(
    (sqlite) =>
      prepareCached(sqlite, "SELECT * FROM Token WHERE secretHash = ?").get(secretHash) as
        | TokenRow
        | undefined,
  );
  return row && isLive(row) ? recordOf(row) : undefined;
}

/** Live tokens of a kind, newest first. */
export async function listTokens(db: Database, kind: TokenKind): Promise<TokenRecord[]> {
  const rows = await db.read(
    (sqlite) =>
      prepareCached(sqlite, "SELECT * FROM Token WHERE kind = ? ORDER BY createdAt DESC, id").all(
        kind,
      ) as TokenRow[],
  );
  return rows.filter(isLive).map(recordOf);
}

/**
 * Revokes a token, with its row in the audit log. One that was revoked before stays as it is.
 *
 * @returns false when there is none of this kind
 */
export function revokeToken(
  db: Database,
  token: { id: string; kind: TokenKind },
  { actor, address }: Doer,
): Promise<boolean> {
  return db.write((sqlite) => {
    const row = prepareCached(sqlite, "SELECT * FROM Token WHERE id = ? AND kind = ?").get(
      token.id,
      token.kind,
    ) as TokenRow | undefined;
    if (!row) return false;
    if (row.revokedAt !== null) return true;
    const now = Date.now();
    prepareCached(sqlite, "UPDATE Token SET revokedAt = ? WHERE id = ?").run(now, token.id);
    appendAuditInWrite(
      sqlite,
      {
        actor,
        address,
        action: token.kind === "login" ? "logins.revoke" : "tokens.revoke",
        sessionId: null,
        target: token.id,
        outcome: "ok",
        details: { name: row.name },
      },
      now,
    );
    return true;
  });
}

/** Notes when a token was last used. */
export function noteTokenUse(db: Database, id: string, now: number): Promise<void> {
  return db.write((sqlite) => {
    prepareCached(sqlite, "UPDATE Token SET lastUsedAt = ? WHERE id = ?").run(now, id);
  });
}

/** Whether anyone ever logged in to the console. */
export async function hasLogin(db: Database): Promise<boolean> {
  return db.read(
    (sqlite) =>
      prepareCached(sqlite, "SELECT 1 FROM Token WHERE kind = 'login' LIMIT 1").get() !== undefined,
  );
}

/** Makes the token named the only one of its name, for the secret that a file holds. */
export function replaceToken(
  db: Database,
  token: { name: string; scopes: readonly Scope[] },
  secret: string,
): Promise<void> {
  return db.write((sqlite) => {
    prepareCached(sqlite, "DELETE FROM Token WHERE name = ? AND kind = 'token'").run(token.name);
    insertToken(sqlite, { ...token, kind: "token", expiresAtMs: null }, secret, Date.now());
  });
}

function isLive(row: TokenRow): boolean {
  if (row.revokedAt !== null) return false;
  return row.expiresAt === null || row.expiresAt > Date.now();
}

function recordOf(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === "login" ? "login" : "token",
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    createdAtMs: row.createdAt,
    lastUsedAtMs: row.lastUsedAt,
    expiresAtMs: row.expiresAt,
    origin: row.origin,
    address: row.address,
  };
}
