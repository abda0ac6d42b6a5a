import { createHash, randomBytes, randomUUID } from "node:crypto";
import { SCOPES, type Scope } from "@signalbox/protocol";
import type { Database } from "./database.ts";

export interface TokenRecord {
  id: string;
  name: string;
  kind: "token" | "login";
  scopes: Scope[];
  expiresAtMs: number | null;
}

const SECRET_BYTES = 32;

/** Secrets are long and random, so a plain hash is enough to store. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function newSecret(kind: TokenRecord["kind"]): string {
  return `sb_${kind}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** Stores a token; only its hash is kept. */
export async function createToken(
  db: Database,
  token: {
    name: string;
    kind: TokenRecord["kind"];
    scopes: readonly Scope[];
    expiresAtMs: number | null;
  },
  secret: string,
): Promise<TokenRecord> {
  const id = randomUUID();
  await db.prisma.token.create({
    data: {
      id,
      name: token.name,
      kind: token.kind,
      secretHash: hashSecret(secret),
      scopes: token.scopes.join(""),
      createdAt: BigInt(Date.now()),
      expiresAt: token.expiresAtMs === null ? null : BigInt(token.expiresAtMs),
    },
  });
  return { id, ...token, scopes: [...token.scopes] };
}

/** The live token of this secret; undefined when unknown, revoked or expired. */
export async function findToken(db: Database, secret: string): Promise<TokenRecord | undefined> {
  const row = await db.prisma.token.findUnique({ where: { secretHash: hashSecret(secret) } });
  if (!row || row.revokedAt !== null) return undefined;
  const expiresAtMs = row.expiresAt === null ? null : Number(row.expiresAt);
  if (expiresAtMs !== null && expiresAtMs <= Date.now()) return undefined;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === "login" ? "login" : "token",
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    expiresAtMs,
  };
}

/** Whether anyone ever logged in to the console. */
export async function hasLogin(db: Database): Promise<boolean> {
  return (await db.prisma.token.count({ where: { kind: "login" } })) > 0;
}

/** Makes the token named the only one of its name, for the secret that a file holds. */
export async function replaceToken(
  db: Database,
  token: { name: string; scopes: readonly Scope[] },
  secret: string,
): Promise<void> {
  await db.prisma.token.deleteMany({ where: { name: token.name, kind: "token" } });
  await createToken(db, { ...token, kind: "token", expiresAtMs: null }, secret);
}
