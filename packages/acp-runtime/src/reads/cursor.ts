import { createHash } from "node:crypto";
import { AppError } from "@signalbox/protocol";

/** What a reader of a session has seen: the last event, and how much of the open message. */
export interface SessionCursor {
  sequence: number;
  /** The open message that was being read; 0 for none. */
  serial: number;
  offset: number;
}

/** How much of the open message a reader has: nothing, when it had read another one. */
export function offsetIn(cursor: SessionCursor, message: { serial: number }): number {
  return cursor.serial === message.serial ? cursor.offset : 0;
}

const VERSION = "1";

function sessionTag(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("base64url").slice(0, 8);
}

export function encodeSessionCursor(
  session: { sessionId: string; incarnation: string },
  cursor: SessionCursor,
): string {
  const parts = [
    VERSION,
    sessionTag(session.sessionId),
    session.incarnation,
    cursor.sequence,
    cursor.serial,
    cursor.offset,
  ];
  return Buffer.from(parts.join(".")).toString("base64url");
}

/**
 * @returns the cursor, and whether it was handed out for the session as it is today
 * @throws AppError `invalid_history_cursor` when unreadable or of another session
 */
export function decodeSessionCursor(
  session: { sessionId: string; incarnation: string },
  text: string,
): { cursor: SessionCursor; isCurrent: boolean } {
  const [version, tag, incarnation, ...numbers] = Buffer.from(text, "base64url")
    .toString("utf8")
    .split(".");
  const [sequence = Number.NaN, serial = Number.NaN, offset = Number.NaN] = numbers.map(Number);
  const cursor = { sequence, serial, offset };
  const isReadable =
    version === VERSION &&
    tag === sessionTag(session.sessionId) &&
    numbers.length === 3 &&
    [sequence, serial, offset].every(Number.isSafeInteger);
  if (!isReadable) {
    throw new AppError("invalid_history_cursor", "lastEventId is not a cursor of this session", {
      details: { field: "lastEventId" },
    });
  }
  return { cursor, isCurrent: incarnation === session.incarnation };
}

/** Page cursors of lists: opaque, and tied to the list they came from. */
export function encodeListCursor(list: string, values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...values])).toString("base64url");
}

/** @throws AppError `invalid_list_cursor` */
export function decodeListCursor(list: string, text: string): [number, string] {
  const refuse = () =>
    new AppError("invalid_list_cursor", `cursor is not one of ${list}`, {
      details: { field: "cursor" },
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parsed)) throw refuse();
  const [name, first, second] = parsed;
  if (name !== list || typeof first !== "number" || typeof second !== "string") throw refuse();
  return [first, second];
}
