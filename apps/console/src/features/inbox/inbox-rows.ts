/**
 * What the inbox shows. A request that ends keeps its place until the operator clears it: were it
 * taken out, the next request would move under a pointer that is about to press.
 */
import type {
  FleetEvent,
  PendingPermission,
  PendingQuestion,
  QuestionAction,
} from "@signalbox/protocol";

export type Resolution = Extract<FleetEvent, { type: "permission_resolved" | "question_resolved" }>;

export type InboxRequest = PendingPermission | PendingQuestion;

export function isQuestion(request: InboxRequest): request is PendingQuestion {
  return "message" in request;
}

export interface InboxRow {
  request: InboxRequest;
  isPending: boolean;
}

/** How many ended requests are kept in view. */
const MAX_ENDED = 50;

/**
 * The rows after the pending list changed. Rows keep their places; new requests come where the
 * list has them, which for anything but a late fetch is the end.
 *
 * @param pending oldest first
 */
export function nextRows(
  rows: readonly InboxRow[],
  pending: readonly InboxRequest[],
): readonly InboxRow[] {
  const waits = new Set(pending.map((request) => request.requestId));
  const known = new Set(rows.map((row) => row.request.requestId));
  const next = rows.map((row) => ({ ...row, isPending: waits.has(row.request.requestId) }));
  for (const request of pending) {
    if (known.has(request.requestId)) continue;
    const at = next.findIndex((row) => row.request.requestedAt > request.requestedAt);
    next.splice(at === -1 ? next.length : at, 0, { request, isPending: true });
  }
  const excess = next.filter((row) => !row.isPending).length - MAX_ENDED;
  return excess <= 0 ? next : withoutOldestEnded(next, excess);
}

function withoutOldestEnded(rows: readonly InboxRow[], count: number): readonly InboxRow[] {
  let left = count;
  return rows.filter((row) => {
    if (row.isPending || left === 0) return true;
    left -= 1;
    return false;
  });
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

const ANSWERS: Record<QuestionAction, string> = {
  accept: "Answered",
  decline: "Declined",
  cancel: "Cancelled",
};

/** One sentence on how a request ended, as far as this tab heard it. */
export function resolutionText(resolution: Resolution | undefined): string {
  if (resolution === undefined) return "No longer pending";
  const by = resolution.resolvedBy === undefined ? "" : ` by ${resolution.resolvedBy.name}`;
  if (resolution.type === "question_resolved") {
    // Without a name nobody answered: its turn, its agent or its session ended.
    return by === "" ? "No longer pending" : `${ANSWERS[resolution.action]}${by}`;
  }
  if (resolution.status === "accepted") return `Answered${by}`;
  return REASONS[resolution.reason ?? ""] ?? "No longer pending";
}
