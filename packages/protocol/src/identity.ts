import { z } from "zod";
import { AppError } from "./errors.ts";

const MAX_ID_BYTES = 256;
const encoder = new TextEncoder();

/** C0 controls, DEL, C1 controls, and the two Unicode line separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const DEFAULT_SESSION_ID = "main";

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns the id unchanged, or throws.
 *
 * @throws AppError `invalid_session_id` unless it is 1 to 256 bytes of UTF-8 in NFC without
 *   control characters
 */
export function parseSessionId(sessionId: string): string {
  const bytes = utf8Bytes(sessionId);
  const refuse = (why: string) =>
    new AppError("invalid_session_id", `sessionId ${why}`, {
      details: { field: "sessionId", limit: "sessionId", max: MAX_ID_BYTES, actual: bytes },
    });
  if (bytes < 1) throw refuse("is empty; it must have 1 to 256 bytes");
  if (bytes > MAX_ID_BYTES) throw refuse(`has ${bytes} bytes; at most ${MAX_ID_BYTES} are allowed`);
  if (!sessionId.isWellFormed()) throw refuse("contains a lone surrogate");
  if (CONTROL.test(sessionId)) throw refuse("contains a control character");
  if (sessionId.normalize("NFC") !== sessionId) throw refuse("is not in Unicode normal form C");
  return sessionId;
}

/**
 * @throws AppError `invalid_idempotency_key` unless the key has 1 to 256 bytes
 */
export function parseIdempotencyKey(key: string): string {
  const bytes = utf8Bytes(key);
  if (bytes < 1 || bytes > MAX_ID_BYTES) {
    throw new AppError(
      "invalid_idempotency_key",
      `idempotencyKey has ${bytes} bytes; it must have 1 to ${MAX_ID_BYTES}`,
      { details: { field: "idempotencyKey", max: MAX_ID_BYTES, actual: bytes } },
    );
  }
  return key;
}

export const SCOPES = ["R", "P", "A", "X"] as const;

/** R read, P prompt, A answer, X admin. X implies none of the others. */
export type Scope = (typeof SCOPES)[number];

export const scopeSchema = z.enum(SCOPES);

/** Who did something: a token, a console login, a policy, or the system itself. */
export interface Actor {
  kind: "token" | "login" | "policy" | "system";
  name: string;
}

export const SYSTEM_ACTOR: Actor = { kind: "system", name: "signalbox" };
