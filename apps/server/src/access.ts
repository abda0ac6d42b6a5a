import fs from "node:fs";
import path from "node:path";
import type { Identity } from "@signalbox/api";
import { type Database, findToken, newSecret, replaceToken } from "@signalbox/db";
import { SCOPES } from "@signalbox/protocol";
import { storageCall } from "./storage-call.ts";

const ADMIN_TOKEN_NAME = "admin";
const ADMIN_TOKEN_FILE = "admin-token";

/**
 * Keeps `<data dir>/admin-token` and its row together: a secret that the file still holds stays
 * good, a missing or changed file makes a new one.
 */
export async function ensureAdminToken(db: Database, dataDir: string): Promise<void> {
  const file = path.join(dataDir, ADMIN_TOKEN_FILE);
  const known = readSecret(file);
  if (known !== null && (await storageCall(findToken(db, known)))) return;
  const secret = newSecret("token");
  await storageCall(replaceToken(db, { name: ADMIN_TOKEN_NAME, scopes: SCOPES }, secret));
  const temporary = `${file}.new`;
  fs.writeFileSync(temporary, `${secret}\n`, { mode: 0o600 });
  fs.renameSync(temporary, file);
}

function readSecret(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * @returns null when the secret names no live token
 * @throws AppError `storage_busy` or `storage_corrupt`
 */
export async function identify(db: Database, secret: string | null): Promise<Identity | null> {
  if (secret === null || secret === "") return null;
  const token = await storageCall(findToken(db, secret));
  if (!token) return null;
  return { actor: { kind: token.kind, name: token.name }, scopes: token.scopes };
}

export function bearerOf(authorization: string | undefined): string | null {
  const match = /^Bearer\s+(\S+)$/i.exec(authorization ?? "");
  return match?.[1] ?? null;
}
