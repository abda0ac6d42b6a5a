import fs from "node:fs";
import path from "node:path";
import { ADMIN_TOKEN_NAME, type Identity } from "@signalbox/api";
import { type Database, findToken, newSecret, noteTokenUse, replaceToken } from "@signalbox/db";
import { SCOPES } from "@signalbox/protocol";

/** How exact `lastUsedAt` is: no call pays for it, and few write it. */
const USE_NOTED_EVERY_MS = 60_000;
const ADMIN_TOKEN_FILE = "admin-token";

/**
 * Keeps `<data dir>/admin-token` and its row together: a secret that the file still holds stays
 * good, a missing or changed file makes a new one.
 */
export async function ensureAdminToken(db: Database, dataDir: string): Promise<void> {
  const file = path.join(dataDir, ADMIN_TOKEN_FILE);
  const known = readSecret(file);
  if (known !== null && (await findToken(db, known))) return;
  const secret = newSecret("token");
  await replaceToken(db, { name: ADMIN_TOKEN_NAME, scopes: SCOPES }, secret);
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

/** A caller, and how long its token holds. */
export interface Caller extends Identity {
  readonly expiresAtMs: number | null;
}

/** Tells callers by their secrets. */
export class Callers {
  readonly #db: Database;
  readonly #onNoteFailed: (error: unknown) => void;
  readonly #notedAtMs = new Map<string, number>();

  /** @param onNoteFailed hears why a token's last use could not be noted */
  constructor(db: Database, onNoteFailed: (error: unknown) => void) {
    this.#db = db;
    this.#onNoteFailed = onNoteFailed;
  }

  /**
   * @param origin what the caller's browser says it is from; a login holds for one origin only
   * @returns null when the secret names no live token, or a login of another origin
   * @throws AppError `storage_busy` or `storage_corrupt`
   */
  async identify(secret: string | null, origin: string | undefined): Promise<Caller | null> {
    if (secret === null || secret === "") return null;
    const token = await findToken(this.#db, secret);
    if (!token) return null;
    if (token.origin !== null && origin !== undefined && origin !== token.origin) return null;
    this.#noteUse(token.id, token.lastUsedAtMs);
    const { id: tokenId, kind, name, scopes, expiresAtMs } = token;
    return { tokenId, secret, actor: { kind, name }, scopes, expiresAtMs };
  }

  #noteUse(id: string, storedMs: number | null): void {
    const now = Date.now();
    const notedMs = Math.max(this.#notedAtMs.get(id) ?? 0, storedMs ?? 0);
    if (now - notedMs < USE_NOTED_EVERY_MS) return;
    this.#notedAtMs.set(id, now);
    noteTokenUse(this.#db, id, now).catch(this.#onNoteFailed);
  }
}

export function bearerOf(authorization: string | undefined): string | null {
  const match = /^Bearer\s+(\S+)$/i.exec(authorization ?? "");
  return match?.[1] ?? null;
}
