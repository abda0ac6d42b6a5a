import {
  type FleetChangeRow,
  findPermission,
  findSession,
  readFleetChanges,
  readFleetSpan,
  readPendingOf,
} from "@signalbox/db";
import { type Actor, AppError, type FleetEvent, isJsonObject } from "@signalbox/protocol";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { objectOf, pendingPermissionOf, sessionInfos, timestampOf } from "./session-view.ts";
import type { PresenceOf } from "./stored-reads.ts";

const PAGE_SIZE = 200;
const CURSOR = /^f1\.(\d{1,15})$/;

/**
 * Yields what changes in any session. A change is told as the state is when it is told, so a
 * reader that was away sees the newest state of each session and never an outdated one after it.
 *
 * @throws AppError `invalid_history_cursor`, `history_cursor_expired` or `history_cursor_ahead`
 */
export async function* followFleet(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<{ cursor: string; event: FleetEvent }> {
  let cursor = await startOf(deps, lastEventId);
  while (!signal.aborted) {
    const woken = new AbortController();
    const next = deps.fleetChanged.next(AbortSignal.any([signal, woken.signal]));
    const rows = await readFleetChanges(deps.db, cursor, PAGE_SIZE);
    if (rows.length === 0) await next;
    else woken.abort();
    for (const row of withoutRepeats(rows)) {
      cursor = row.id;
      const event = await eventOf(deps, presenceOf, row);
      if (event) yield { cursor: `f1.${row.id}`, event };
      if (signal.aborted) return;
    }
  }
}

async function startOf(deps: RuntimeDeps, lastEventId: string | null): Promise<number> {
  const { oldest, latest } = await readFleetSpan(deps.db);
  if (lastEventId === null) return latest;
  const match = CURSOR.exec(lastEventId);
  if (!match) {
    throw new AppError("invalid_history_cursor", "lastEventId is not a cursor of the fleet feed", {
      details: { field: "lastEventId" },
    });
  }
  const cursor = Number(match[1]);
  if (cursor > latest) {
    throw new AppError("history_cursor_ahead", "the fleet feed has not come this far", {
      details: { latest, cursor },
    });
  }
  if (cursor < oldest - 1) {
    throw new AppError("history_cursor_expired", "changes this old are no longer kept", {
      details: { oldest, cursor },
    });
  }
  return cursor;
}

/** Of several changes of one session in a page only the last needs telling. */
function withoutRepeats(rows: readonly FleetChangeRow[]): FleetChangeRow[] {
  const lastChange = new Map<string, number>();
  for (const row of rows) {
    if (row.type === "session_changed") lastChange.set(row.sessionId, row.id);
  }
  return rows.filter(
    (row) => row.type !== "session_changed" || lastChange.get(row.sessionId) === row.id,
  );
}

/** @returns null for news of something that is gone by now; its end is told by a later change */
async function eventOf(
  deps: RuntimeDeps,
  presenceOf: PresenceOf,
  row: FleetChangeRow,
): Promise<FleetEvent | null> {
  const timestamp = timestampOf(row.timestamp);
  const { sessionId } = row;
  const detail = objectOf(row.detail) ?? {};
  switch (row.type) {
    case "session_created":
    case "session_changed": {
      const session = await findSession(deps.db, sessionId);
      if (!session) return null;
      const [info] = await sessionInfos(deps.db, [session], presenceOf);
      return info ? { timestamp, type: row.type, session: info } : null;
    }
    case "session_deleted":
      return { timestamp, type: row.type, sessionId };
    case "permission_requested":
      return permissionRequested(deps, row, timestamp);
    case "permission_resolved": {
      const { reason } = detail;
      return {
        timestamp,
        type: row.type,
        sessionId,
        requestId: row.requestId ?? "",
        status: detail.status === "accepted" ? "accepted" : "not_pending",
        ...(typeof reason === "string" ? { reason } : {}),
        ...(isJsonObject(detail.resolvedBy)
          ? { resolvedBy: JSON.parse(JSON.stringify(detail.resolvedBy)) as Actor }
          : {}),
      };
    }
    case "adapter_exited":
      return {
        timestamp,
        type: row.type,
        sessionId,
        exitCode: typeof detail.exitCode === "number" ? detail.exitCode : null,
        signal: typeof detail.signal === "string" ? detail.signal : null,
        expected: detail.expected === true,
      };
    default:
      throw new Error(`unknown fleet change ${row.type}`);
  }
}

async function permissionRequested(
  deps: RuntimeDeps,
  row: FleetChangeRow,
  timestamp: string,
): Promise<FleetEvent | null> {
  const permission = await findPermission(deps.db, row.requestId ?? "");
  if (permission?.state !== "pending") return null;
  const pending = await readPendingOf(deps.db, [row.sessionId]);
  const request = pending.find((candidate) => candidate.requestId === row.requestId);
  return request
    ? { timestamp, type: "permission_requested", request: pendingPermissionOf(request) }
    : null;
}
