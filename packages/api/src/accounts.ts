/** Who may call, and who did what: tokens, logins of the console, and the audit log. */
import { decodeListCursor, encodeListCursor, listLimit } from "@signalbox/acp-runtime";
import {
  type AuditRecord,
  appendAudit,
  createToken,
  type Database,
  listTokens,
  newSecret,
  readAudit,
  revokeToken,
  type TokenRecord,
} from "@signalbox/db";
import {
  type AcpLimits,
  type Actor,
  AppError,
  type AuditRow,
  type JsonObject,
  type Login,
  type Scope,
  type Token,
} from "@signalbox/protocol";

/** The data folder's own token; it stands in a file, so no other may have its name. */
export const ADMIN_TOKEN_NAME = "admin";

export interface Doer {
  actor: Actor;
  address: string | null;
}

export interface AccountsOptions {
  readonly db: Database;
  readonly limits: Pick<AcpLimits, "maxSessionListEntries">;
  /** Called after the commit: whatever the token has open must end. */
  readonly onRevoked: (tokenId: string) => void;
  /** Makes the code of a fresh login link; the one before it no longer opens anything. */
  readonly newLoginCode: () => { code: string; expiresAtMs: number };
}

export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * @returns the secret as well, which is kept nowhere
   * @throws AppError `bad_request` when the name is taken for the data folder's own token or the
   *   end is not in the future
   */
  async createToken(
    input: { name: string; scopes: readonly Scope[]; expiresAt?: string | undefined },
    doer: Doer,
  ): Promise<{ token: Token; secret: string }> {
    if (input.name === ADMIN_TOKEN_NAME) {
      throw badField("name", `${ADMIN_TOKEN_NAME} is the name of the data folder's own token`);
    }
    const expiresAtMs = input.expiresAt === undefined ? null : Date.parse(input.expiresAt);
    if (expiresAtMs !== null && expiresAtMs <= Date.now()) {
      throw badField("expiresAt", "expiresAt must be in the future");
    }
    const secret = newSecret("token");
    const scopes = [...new Set(input.scopes)];
    const token = { name: input.name, kind: "token" as const, scopes, expiresAtMs };
    const record = await createToken(this.#options.db, token, secret, doer);
    return { token: tokenOf(record), secret };
  }

  async tokens(): Promise<{ tokens: Token[] }> {
    return { tokens: (await listTokens(this.#options.db, "token")).map(tokenOf) };
  }

  async logins(): Promise<{ logins: Login[] }> {
    return { logins: (await listTokens(this.#options.db, "login")).map(loginOf) };
  }

  /**
   * Revoking twice is no error. Revoking the data folder's own token makes the next start write
   * another one.
   *
   * @throws AppError `bad_request` when there is no such token or login
   */
  async revoke(token: { id: string; kind: "token" | "login" }, doer: Doer): Promise<void> {
    const { db, onRevoked } = this.#options;
    if (!(await revokeToken(db, token, doer))) {
      throw badField("id", `there is no ${token.kind} ${token.id}`);
    }
    onRevoked(token.id);
  }

  /**
   * The row comes first: a code that nobody can account for is never handed out.
   *
   * @returns the one-time code of a console login, for a link that the caller builds
   */
  async createLoginLink({ actor, address }: Doer): Promise<{ code: string; expiresAt: string }> {
    const { db, newLoginCode } = this.#options;
    await appendAudit(db, {
      actor,
      address,
      action: "logins.createLink",
      sessionId: null,
      target: null,
      outcome: "ok",
      details: {},
    });
    const { code, expiresAtMs } = newLoginCode();
    return { code, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** @throws AppError `list_limit` or `invalid_list_cursor` */
  async audit(query: {
    sessionId?: string | undefined;
    cursor?: string | undefined;
    limit?: number | undefined;
  }): Promise<{ rows: AuditRow[]; nextCursor: string | null }> {
    const { db, limits } = this.#options;
    const limit = listLimit(query.limit, limits);
    const [beforeId] =
      query.cursor === undefined ? [undefined] : decodeListCursor("audit.list", query.cursor);
    const { sessionId } = query;
    const records = await readAudit(db, { sessionId, beforeId, limit: limit + 1 });
    const page = records.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      records.length > limit && last ? encodeListCursor("audit.list", [last.id, ""]) : null;
    return { rows: page.map(auditRowOf), nextCursor };
  }
}

function badField(field: string, message: string): AppError {
  return new AppError("bad_request", message, { details: { field } });
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function tokenOf(record: TokenRecord): Token {
  const { id, name, scopes } = record;
  return {
    id,
    name,
    scopes,
    createdAt: new Date(record.createdAtMs).toISOString(),
    lastUsedAt: timeOf(record.lastUsedAtMs),
    expiresAt: timeOf(record.expiresAtMs),
  };
}

function loginOf(record: TokenRecord): Login {
  const { id, origin, address } = record;
  return {
    id,
    createdAt: new Date(record.createdAtMs).toISOString(),
    lastUsedAt: timeOf(record.lastUsedAtMs),
    expiresAt: timeOf(record.expiresAtMs),
    origin,
    address,
  };
}

function auditRowOf(record: AuditRecord): AuditRow {
  const { id, address, action, sessionId, target, outcome, hash } = record;
  return {
    id,
    timestamp: new Date(record.timestamp).toISOString(),
    actor: { kind: record.actorKind as Actor["kind"], name: record.actorName },
    address,
    action,
    sessionId,
    target,
    outcome,
    details: JSON.parse(record.details) as JsonObject,
    hash,
  };
}
