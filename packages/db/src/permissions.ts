/**
 * Permission requests. The row is the request: the first conditional update decides it, and every
 * end writes one `permission_response` event in the same transaction.
 */
import {
  type Actor,
  type JsonObject,
  type NotPendingReason,
  SYSTEM_ACTOR,
} from "@signalbox/protocol";
import { appendAuditInWrite } from "./audit.ts";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import { decidedDetails } from "./decided-details.ts";
import { tellFleetInWrite } from "./fleet-news.ts";
import { type RequestScope, readPendingInScope } from "./pending-requests.ts";
import type { Owner, PermissionRow } from "./rows.ts";
import { appendEventsInWrite } from "./session-log.ts";

export interface NewPermission extends Owner {
  requestId: string;
  sessionId: string;
  promptId: string | null;
  toolCallId: string | null;
  toolCall: string;
  options: string;
  digest: string;
  /** The event's own fields as JSON text. */
  fields: string;
}

export function openPermissionInWrite(
  sqlite: Sqlite,
  permission: NewPermission,
  now: number,
): number {
  const { lastSequence } = appendEventsInWrite(sqlite, permission, [
    {
      type: "permission_request",
      promptId: permission.promptId,
      fields: permission.fields,
      timestamp: now,
    },
  ]);
  prepareCached(
    sqlite,
    `INSERT INTO Permission (requestId, sessionId, promptId, toolCallId, toolCall, options, digest,
       state, requestedAt, ownerId, ownerEpoch) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
  ).run(
    permission.requestId,
    permission.sessionId,
    permission.promptId,
    permission.toolCallId,
    permission.toolCall,
    permission.options,
    permission.digest,
    now,
    permission.ownerId,
    permission.ownerEpoch,
  );
  tellFleetInWrite(
    sqlite,
    {
      type: "permission_requested",
      sessionId: permission.sessionId,
      requestId: permission.requestId,
    },
    now,
  );
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: permission.sessionId }, now);
  return lastSequence;
}

/**
 * Decides a request for the first answer that comes.
 *
 * @returns false when it was no longer pending; nothing was written then
 */
export function decidePermissionInWrite(
  sqlite: Sqlite,
  decision: {
    row: PermissionRow;
    optionId: string;
    actor: Actor;
    address: string | null;
  } & Owner,
  now: number,
): boolean {
  const { row, optionId, actor } = decision;
  const outcome = { outcome: "selected", optionId };
  const { changes } = prepareCached(
    sqlite,
    `UPDATE Permission SET state = 'decided', outcome = ?, resolvedBy = ?, resolvedAt = ?
     WHERE requestId = ? AND state = 'pending'`,
  ).run(JSON.stringify(outcome), JSON.stringify(actor), now, row.requestId);
  if (changes !== 1) return false;
  const sequence = writeResponse(sqlite, row, decision, now, {
    outcome,
    status: "accepted",
    resolvedBy: { ...actor },
  });
  appendAuditInWrite(
    sqlite,
    {
      actor,
      address: decision.address,
      action: "permissions.respond",
      sessionId: row.sessionId,
      target: row.requestId,
      outcome: "ok",
      details: {
        ...decidedDetails({
          toolCall: JSON.parse(row.toolCall),
          options: JSON.parse(row.options),
          optionId,
        }),
        digest: row.digest,
        sequence,
      },
    },
    now,
  );
  return true;
}

/**
 * Ends pending requests without a decision: those of one turn, those outside any turn, or all.
 *
 * @returns the rows that were ended, as they were
 */
export function endPermissionsInWrite(
  sqlite: Sqlite,
  scope: RequestScope & Owner,
  reason: NotPendingReason,
  now: number,
): PermissionRow[] {
  const ended = readPendingInScope<PermissionRow>(sqlite, "Permission", scope);
  const outcome = { outcome: "cancelled" };
  for (const row of ended) {
    prepareCached(
      sqlite,
      `UPDATE Permission SET state = 'ended', outcome = ?, reason = ?, resolvedAt = ?,
         resolvedBy = ? WHERE requestId = ? AND state = 'pending'`,
    ).run(JSON.stringify(outcome), reason, now, JSON.stringify(SYSTEM_ACTOR), row.requestId);
    writeResponse(sqlite, row, scope, now, { outcome, status: "not_pending", reason });
  }
  return ended;
}

function writeResponse(
  sqlite: Sqlite,
  row: PermissionRow,
  owner: Owner,
  now: number,
  response: JsonObject,
): number {
  const target = { sessionId: row.sessionId, ownerId: owner.ownerId, ownerEpoch: owner.ownerEpoch };
  const { lastSequence } = appendEventsInWrite(sqlite, target, [
    {
      type: "permission_response",
      promptId: row.promptId,
      fields: JSON.stringify({ requestId: row.requestId, ...response }),
      timestamp: now,
    },
  ]);
  const { outcome: _outcome, ...detail } = response;
  tellFleetInWrite(
    sqlite,
    { type: "permission_resolved", sessionId: row.sessionId, requestId: row.requestId, detail },
    now,
  );
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: row.sessionId }, now);
  return lastSequence;
}

export function countPendingPermissions(db: Database): Promise<number> {
  return db.prisma.permission.count({ where: { state: "pending" } });
}
