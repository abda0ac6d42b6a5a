import {
  type FleetNews,
  findSession,
  type OfSession,
  type PermissionRow,
  type QuestionRow,
  type RequestTable,
  readChangedSince,
  readPendingOfSessions,
  readPendingPageOf,
  readResolvedSince,
} from "@signalbox/db";
import {
  type Actor,
  AppError,
  type FleetEvent,
  type JsonObject,
  questionActionSchema,
} from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";
import {
  pendingPermissionOf,
  pendingQuestionOf,
  sessionInfos,
  timestampOf,
} from "../sessions/session-view.ts";
import type { NumberedNews } from "./fleet-feed.ts";
import type { PresenceOf } from "./stored-reads.ts";

const PAGE_SIZE = 200;
const CURSOR = /^f1\.(\d{1,10})\.(\d{1,15})\.(\d{1,15})$/;

interface FleetCursor {
  readonly epoch: number;
  readonly id: number;
  /** When the item was told: where a watcher of an earlier run is brought up to date from. */
  readonly timeMs: number;
}

export interface FollowedFleet {
  cursor: string;
  event: FleetEvent;
}

/**
 * Yields what changes in any session. A change is told as things are when it is told, so a
 * watcher never sees an outdated state after a newer one. One that was away longer than news is
 * kept, or across a restart, is told how everything is that can have changed meanwhile.
 *
 * @throws AppError `invalid_history_cursor` or `history_cursor_ahead`
 */
export async function* followFleet(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<FollowedFleet> {
  const { fleet } = deps;
  const start = lastEventId === null ? null : parseCursor(deps, lastEventId);
  let id = start?.epoch === fleet.epoch ? start.id : fleet.latest;
  if (start !== null && (start.epoch !== fleet.epoch || fleet.after(start.id, 1) === null)) {
    id = fleet.latest;
    for await (const event of changesSince(deps, presenceOf, start.timeMs)) {
      yield { cursor: lastEventId ?? "", event };
      if (signal.aborted) return;
    }
  }
  while (!signal.aborted) {
    await fleet.changed.until(() => fleet.latest > id, signal);
    if (signal.aborted) return;
    const page = fleet.after(id, PAGE_SIZE);
    if (page === null) throw tooSlow();
    for (const news of withoutRepeats(page)) {
      const event = await eventOf(deps, presenceOf, news);
      const cursor = formatCursor({ epoch: fleet.epoch, id: news.id, timeMs: news.timestamp });
      if (event) yield { cursor, event };
      if (signal.aborted) return;
    }
    id = page.at(-1)?.id ?? id;
  }
}

function tooSlow(): AppError {
  return new AppError("history_cursor_expired", "changes this old are no longer kept");
}

function formatCursor({ epoch, id, timeMs }: FleetCursor): string {
  return `f1.${epoch}.${id}.${timeMs}`;
}

function parseCursor(deps: RuntimeDeps, text: string): FleetCursor {
  const match = CURSOR.exec(text);
  if (!match) {
    throw new AppError("invalid_history_cursor", "lastEventId is not a cursor of the fleet feed", {
      details: { field: "lastEventId" },
    });
  }
  const cursor = { epoch: Number(match[1]), id: Number(match[2]), timeMs: Number(match[3]) };
  const { fleet } = deps;
  const isAhead =
    cursor.epoch > fleet.epoch || (cursor.epoch === fleet.epoch && cursor.id > fleet.latest);
  if (isAhead) {
    throw new AppError("history_cursor_ahead", "the fleet feed has not come this far", {
      details: { field: "lastEventId" },
    });
  }
  return cursor;
}

/**
 * How things are that can differ from what a watcher saw at `sinceMs`. An adapter that was live
 * then had been used within the idle time before, and every use leaves an event.
 */
async function* changesSince(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  sinceMs: number,
): AsyncGenerator<FleetEvent> {
  const { sessions, deleted } = await readChangedSince(deps.db, sinceMs - deps.limits.idleUnloadMs);
  for (const { sessionId, deletedAt } of deleted) {
    yield { timestamp: timestampOf(deletedAt), type: "session_deleted", sessionId };
  }
  for (let at = 0; at < sessions.length; at += PAGE_SIZE) {
    const rows = sessions.slice(at, at + PAGE_SIZE);
    for (const session of await sessionInfos(deps.db, rows, presenceOf)) {
      yield { timestamp: session.updatedAt, type: "session_changed", session };
    }
  }
  const { db } = deps;
  for (const row of await readResolvedSince<PermissionRow>(db, "Permission", sinceMs)) {
    yield permissionResolved(row);
  }
  for (const row of await readResolvedSince<QuestionRow>(db, "Question", sinceMs)) {
    yield questionResolved(row);
  }
  for await (const row of allPending<PermissionRow>(deps, "Permission")) {
    const timestamp = timestampOf(row.requestedAt);
    yield { timestamp, type: "permission_requested", request: pendingPermissionOf(row) };
  }
  for await (const row of allPending<QuestionRow>(deps, "Question")) {
    const timestamp = timestampOf(row.requestedAt);
    yield { timestamp, type: "question_requested", request: pendingQuestionOf(row) };
  }
}

async function* allPending<R extends { requestedAt: number; requestId: string }>(
  deps: RuntimeDeps,
  table: RequestTable,
): AsyncGenerator<R & OfSession> {
  let after: R | undefined;
  for (;;) {
    const rows = await readPendingPageOf<R>(deps.db, table, after, PAGE_SIZE);
    yield* rows;
    after = rows.at(-1);
    if (rows.length < PAGE_SIZE) return;
  }
}

function permissionResolved(row: PermissionRow): FleetEvent {
  return {
    timestamp: timestampOf(row.resolvedAt ?? row.requestedAt),
    type: "permission_resolved",
    sessionId: row.sessionId,
    requestId: row.requestId,
    status: row.state === "decided" ? "accepted" : "not_pending",
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.resolvedBy === null ? {} : { resolvedBy: JSON.parse(row.resolvedBy) as Actor }),
  };
}

function questionResolved(row: QuestionRow): FleetEvent {
  return {
    timestamp: timestampOf(row.resolvedAt ?? row.requestedAt),
    type: "question_resolved",
    sessionId: row.sessionId,
    requestId: row.requestId,
    action: row.action ?? "cancel",
    ...(row.resolvedBy === null ? {} : { resolvedBy: JSON.parse(row.resolvedBy) as Actor }),
  };
}

/** Of several changes of one session in a page only the last needs telling. */
function withoutRepeats(page: readonly NumberedNews[]): NumberedNews[] {
  const lastChange = new Map<string, number>();
  for (const news of page) {
    if (news.type === "session_changed") lastChange.set(news.sessionId, news.id);
  }
  return page.filter(
    (news) => news.type !== "session_changed" || lastChange.get(news.sessionId) === news.id,
  );
}

/** @returns null for news of something that is gone by now; its end is news of its own */
async function eventOf(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  news: FleetNews,
): Promise<FleetEvent | null> {
  const timestamp = timestampOf(news.timestamp);
  const { sessionId, type } = news;
  switch (type) {
    case "session_created":
    case "session_changed": {
      const row = await findSession(deps.db, sessionId);
      if (!row) return null;
      const [session] = await sessionInfos(deps.db, [row], presenceOf);
      return session ? { timestamp, type, session } : null;
    }
    case "session_deleted":
      return { timestamp, type, sessionId };
    case "permission_requested": {
      const row = await pendingRow<PermissionRow>(deps, "Permission", news);
      return row ? { timestamp, type, request: pendingPermissionOf(row) } : null;
    }
    case "question_requested": {
      const row = await pendingRow<QuestionRow>(deps, "Question", news);
      return row ? { timestamp, type, request: pendingQuestionOf(row) } : null;
    }
    case "question_resolved": {
      const { action, resolvedBy } = news.detail ?? {};
      return {
        timestamp,
        type,
        sessionId,
        requestId: news.requestId ?? "",
        action: questionActionSchema.catch("cancel").parse(action),
        ...(isActor(resolvedBy) ? { resolvedBy } : {}),
      };
    }
    case "permission_resolved": {
      // The row may be gone with its session; the news itself says how the request ended.
      const { status, reason, resolvedBy } = news.detail ?? {};
      return {
        timestamp,
        type,
        sessionId,
        requestId: news.requestId ?? "",
        status: status === "accepted" ? status : "not_pending",
        ...(typeof reason === "string" ? { reason } : {}),
        ...(isActor(resolvedBy) ? { resolvedBy } : {}),
      };
    }
    case "adapter_exited":
      return { timestamp, type, sessionId, ...exitOf(news.detail ?? {}) };
  }
}

async function pendingRow<R extends { requestId: string }>(
  deps: RuntimeDeps,
  table: RequestTable,
  { sessionId, requestId }: FleetNews,
): Promise<(R & OfSession) | undefined> {
  const pending = await readPendingOfSessions<R>(deps.db, table, [sessionId]);
  return pending.find((candidate) => candidate.requestId === requestId);
}

function isActor(value: unknown): value is Actor {
  return typeof value === "object" && value !== null && "kind" in value && "name" in value;
}

function exitOf({ exitCode, signal, expected }: JsonObject) {
  return {
    exitCode: typeof exitCode === "number" ? exitCode : null,
    signal: typeof signal === "string" ? signal : null,
    expected: expected === true,
  };
}
