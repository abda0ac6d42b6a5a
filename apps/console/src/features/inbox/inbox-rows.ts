/**
 * What the inbox shows. A request that ends keeps its place until the operator clears it: were it
 * taken out, the next request would move under a pointer that is about to press.
 */
import type { FleetEvent, PendingPermission } from "@signalbox/protocol";

export type Resolution = Extract<FleetEvent, { type: "permission_resolved" }>;

export interface InboxRow {
  request: PendingPermission;
  isPending: boolean;
}

/** How many ended requests are kept in view. */
const MAX_ENDED = 50;

/**
 * The ended requests after the pending list changed.
 *
 * @returns the same array if nothing changed
 */
export function endedAfter(
  before: readonly PendingPermission[],
  now: readonly PendingPermission[],
  ended: readonly PendingPermission[],
): readonly PendingPermission[] {
  const pending = new Set(now.map((request) => request.requestId));
  const isGone = (request: PendingPermission) => !pending.has(request.requestId);
  const gone = before.filter(isGone);
  const kept = ended.filter(isGone);
  if (gone.length === 0 && kept.length === ended.length) return ended;
  return [...kept, ...gone].slice(-MAX_ENDED);
}

/** Pending and ended together, oldest first. */
export function inboxRows(
  pending: readonly PendingPermission[],
  ended: readonly PendingPermission[],
): InboxRow[] {
  const rows = [
    ...pending.map((request) => ({ request, isPending: true })),
    ...ended.map((request) => ({ request, isPending: false })),
  ];
  return rows.sort((a, b) => compare(a.request, b.request));
}

function compare(a: PendingPermission, b: PendingPermission): number {
  if (a.requestedAt !== b.requestedAt) return a.requestedAt < b.requestedAt ? -1 : 1;
  return a.requestId < b.requestId ? -1 : a.requestId > b.requestId ? 1 : 0;
}

const REASONS: Record<string, string> = {
  already_resolved: "Already answered",
  prompt_cancelled: "The turn was cancelled",
  adapter_exited: "The adapter exited",
  session_deleted: "The session was deleted",
  session_unloaded: "The session was unloaded",
  turn_ended: "The agent ended its turn",
  server_stopped: "The server was stopped",
  server_restarted: "The server was restarted",
  request_not_found: "The request is gone",
};

/** One sentence on how a request ended, as far as this tab heard it. */
export function resolutionText(resolution: Resolution | undefined): string {
  if (resolution === undefined) return "No longer pending";
  if (resolution.status === "accepted") {
    return resolution.resolvedBy === undefined
      ? "Answered"
      : `Answered by ${resolution.resolvedBy.name}`;
  }
  return REASONS[resolution.reason ?? ""] ?? "No longer pending";
}
