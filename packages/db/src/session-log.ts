/**
 * The one place where a session's log grows.
 *
 * Functions that end in `InWrite` run inside `Database.write` and compose: an event, the row it
 * changes and the news of it for the fleet feed share one transaction.
 */
import { AppError, type JsonValue } from "@signalbox/protocol";
import { prepareCached, type Sqlite } from "./database.ts";
import type { Owner } from "./rows.ts";
import { indexEventInWrite } from "./search.ts";
import type { AddedCost } from "./usage-rollup.ts";

export interface NewEvent {
  type: string;
  promptId: string | null;
  /** The event's own fields as JSON text. */
  fields: string;
  timestamp: number;
}

/** What an agent's news changes in the session row, in the transaction of its event. */
export interface SessionFold {
  title?: string | null;
  metadata?: string | null;
  usage?: string | null;
  configOptions?: string;
  modes?: string | null;
  availableCommands?: string;
  /** The current mode within `modes`. */
  currentModeId?: string;
  /** Counts for the turn of its event, else for its day. */
  addedCost?: AddedCost;
}

export interface Appended {
  firstSequence: number;
  lastSequence: number;
}

export function jsonText(value: JsonValue | object): string {
  return JSON.stringify(value);
}

/**
 * Appends events without a gap and returns their sequences. With no events it returns the
 * latest sequence as `lastSequence`.
 *
 * @throws AppError `session_not_found` when the session is gone; `Error` when another node owns it
 */
export function appendEventsInWrite(
  sqlite: Sqlite,
  target: { sessionId: string } & Owner,
  events: readonly NewEvent[],
): Appended {
  const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(event.fields), 0);
  const row = prepareCached(
    sqlite,
    `UPDATE Session SET latestSequence = latestSequence + ?, historyBytes = historyBytes + ?,
       updatedAt = max(updatedAt, ?)
     WHERE sessionId = ? AND ownerId = ? AND ownerEpoch = ? RETURNING latestSequence`,
  ).get(
    events.length,
    bytes,
    events.at(-1)?.timestamp ?? 0,
    target.sessionId,
    target.ownerId,
    target.ownerEpoch,
  ) as { latestSequence: number } | undefined;
  if (!row) throw refuseWrite(sqlite, target.sessionId);
  const firstSequence = row.latestSequence - events.length + 1;
  const insert = prepareCached(
    sqlite,
    `INSERT INTO Event (sessionId, sequence, promptId, type, fields, timestamp)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  events.forEach((event, index) => {
    insert.run(
      target.sessionId,
      firstSequence + index,
      event.promptId,
      event.type,
      event.fields,
      event.timestamp,
    );
    const { type, fields } = event;
    const sequence = firstSequence + index;
    indexEventInWrite(sqlite, { sessionId: target.sessionId, sequence, type, fields });
  });
  return { firstSequence, lastSequence: row.latestSequence };
}

function refuseWrite(sqlite: Sqlite, sessionId: string): Error {
  const exists = prepareCached(sqlite, "SELECT 1 FROM Session WHERE sessionId = ?").get(sessionId);
  return exists
    ? new Error(`session ${sessionId} is owned by another node`)
    : sessionNotFound(sessionId);
}

export function sessionNotFound(sessionId: string): AppError {
  return new AppError("session_not_found", `session ${sessionId} does not exist`, {
    details: { sessionId },
  });
}

/** Where each folded column stands. */
const FOLD_COLUMNS = [
  ["title", "Session"],
  ["usage", "Session"],
  ["metadata", "SessionDetail"],
  ["configOptions", "SessionDetail"],
  ["modes", "SessionDetail"],
  ["availableCommands", "SessionDetail"],
] as const satisfies readonly [keyof SessionFold, string][];

/** Columns whose change makes a new revision of `sessions.config`. */
const CONFIG_COLUMNS: ReadonlySet<string> = new Set([
  "configOptions",
  "modes",
  "availableCommands",
]);

export function foldInWrite(sqlite: Sqlite, sessionId: string, fold: SessionFold): void {
  for (const [column, table] of FOLD_COLUMNS) {
    const value = fold[column];
    if (value === undefined) continue;
    const revision = CONFIG_COLUMNS.has(column) ? ", configRevision = configRevision + 1" : "";
    prepareCached(sqlite, `UPDATE ${table} SET ${column} = ?${revision} WHERE sessionId = ?`).run(
      value,
      sessionId,
    );
  }
  if (fold.currentModeId === undefined) return;
  prepareCached(
    sqlite,
    `UPDATE SessionDetail SET modes = json_set(ifnull(modes, '{}'), '$.currentModeId', ?),
       configRevision = configRevision + 1 WHERE sessionId = ?`,
  ).run(fold.currentModeId, sessionId);
}

export function saveOpenMessageInWrite(
  sqlite: Sqlite,
  message: { sessionId: string; promptId: string | null; type: string; fields: string },
  now: number,
): void {
  prepareCached(
    sqlite,
    `INSERT INTO OpenMessage (sessionId, promptId, type, fields, updatedAt) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (sessionId) DO UPDATE SET promptId = excluded.promptId, type = excluded.type,
       fields = excluded.fields, updatedAt = excluded.updatedAt`,
  ).run(message.sessionId, message.promptId, message.type, message.fields, now);
}

export function dropOpenMessageInWrite(sqlite: Sqlite, sessionId: string): void {
  prepareCached(sqlite, "DELETE FROM OpenMessage WHERE sessionId = ?").run(sessionId);
}
