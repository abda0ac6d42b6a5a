import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createToken, type Database, hasLogin, newSecret } from "@signalbox/db";
import { AppError, SCOPES } from "@signalbox/protocol";
import { z } from "zod";
import { sendError, sendJson } from "./answers.ts";

const CODE_LIFE_MS = 10 * 60_000;
const LOGIN_LIFE_MS = 30 * 24 * 60 * 60_000;
const MAX_BODY_BYTES = 4_096;
/**
 * A code is too long to be guessed; this only has a broken caller slow down. It counts wrong codes
 * alone, so that no process can keep the operator out by sending them.
 */
const MAX_FAILURES = 20;
const FAILURE_WINDOW_MS = 60_000;

const loginBody = z.strictObject({ code: z.string().min(1) });

interface LoginCode {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** The one-time code of the printed link, exchanged for a console login. */
export class ConsoleLogin {
  readonly #db: Database;
  readonly #addressOf: (request: IncomingMessage) => string | null;
  readonly #now: () => number;
  #code: LoginCode | null = null;
  #failures = { count: 0, sinceMs: 0 };

  /** @param now the time in milliseconds */
  constructor(
    db: Database,
    addressOf: (request: IncomingMessage) => string | null,
    now: () => number = Date.now,
  ) {
    this.#db = db;
    this.#addressOf = addressOf;
    this.#now = now;
  }

  /** @returns a code for the link, or null when someone has logged in before */
  async issueCode(): Promise<string | null> {
    return (await hasLogin(this.#db)) ? null : this.newCode().code;
  }

  /** One code is good at a time: a fresh one ends the one before. */
  newCode(): { code: string; expiresAtMs: number } {
    const code = randomBytes(24).toString("base64url");
    const expiresAtMs = this.#now() + CODE_LIFE_MS;
    this.#code = { text: code, expiresAtMs };
    return { code, expiresAtMs };
  }

  /** `POST /login {code}` → `{secret, expiresAt}`; the code is used up. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { code } = await readBody(request);
      const redeemed = this.#redeem(code);
      const expiresAtMs = this.#now() + LOGIN_LIFE_MS;
      const secret = newSecret("login");
      const { origin = null } = request.headers;
      const address = this.#addressOf(request);
      const login = { name: "console", kind: "login" as const, scopes: SCOPES, expiresAtMs };
      const doer = { actor: { kind: "login" as const, name: "console" }, address };
      try {
        await createToken(this.#db, { ...login, origin, address }, secret, doer);
      } catch (error) {
        // Nobody has logged in with it; without it the link would need a restart.
        this.#code ??= redeemed;
        throw error;
      }
      sendJson(response, 200, { secret, expiresAt: new Date(expiresAtMs).toISOString() });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      sendError(response, error);
    }
  }

  #redeem(code: string): LoginCode {
    const known = this.#code;
    if (!known || known.expiresAtMs <= this.#now() || !isSame(known.text, code)) {
      throw this.#refusal();
    }
    this.#code = null;
    return known;
  }

  #refusal(): AppError {
    const nowMs = this.#now();
    if (nowMs - this.#failures.sinceMs >= FAILURE_WINDOW_MS) {
      this.#failures = { count: 0, sinceMs: nowMs };
    }
    this.#failures.count += 1;
    if (this.#failures.count > MAX_FAILURES) {
      return new AppError("rate_limited", "too many wrong login codes within a minute");
    }
    return new AppError("unauthorized", "this login code is wrong, used or expired");
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function readBody(request: IncomingMessage): Promise<{ code: string }> {
  const refuse = (message: string) =>
    new AppError("bad_request", message, { details: { field: "code" } });
  if (!(request.headers["content-type"] ?? "").startsWith("application/json")) {
    throw refuse("the body must be application/json");
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw refuse(`the body exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(part);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw refuse("the body is not JSON");
  }
  const parsed = loginBody.safeParse(value);
  if (!parsed.success) throw refuse("the body must be {code}");
  return parsed.data;
}
