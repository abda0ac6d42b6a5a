import { createHash } from "node:crypto";
import { AppError } from "@signalbox/protocol";

/** What a reader of a session has seen: the last event, and how much of the message after it. */
export interface SessionCursor {
  sequence: number;
  offset: number;
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
  const [version, tag, incarnation, sequence, offset] = Buffer.from(text, "base64url")
    .toString("utf8")
    .split(".");
  const cursor = { sequence: Number(sequence), offset: Number(offset) };
  const isReadable =
    version === VERSION &&
    tag === sessionTag(session.sessionId) &&
    Number.isSafeInteger(cursor.sequence) &&
    Number.isSafeInteger(cursor.offset);
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
