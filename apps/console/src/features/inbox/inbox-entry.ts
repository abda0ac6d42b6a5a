/** What needs a person: a permission request, a question, or a session whose turn failed. */
import type {
  PendingPermission,
  PendingQuestion,
  SessionInfo,
  StoredError,
} from "@signalbox/protocol";

interface EntryBase {
  /** The same while the entry lasts. */
  id: string;
  /** Another one means that there is something new to see. */
  version: string;
  sessionId: string;
  since: string;
}

export interface PermissionEntry extends EntryBase {
  kind: "permission";
  request: PendingPermission;
}

export interface QuestionEntry extends EntryBase {
  kind: "question";
  request: PendingQuestion;
}

export interface FailureEntry extends EntryBase {
  kind: "failure";
  session: SessionInfo;
  error: StoredError;
}

export type RequestEntry = PermissionEntry | QuestionEntry;
export type InboxEntry = RequestEntry | FailureEntry;

export function requestEntry(request: PendingPermission | PendingQuestion): RequestEntry {
  const { requestId: id, sessionId, requestedAt: since } = request;
  return "message" in request
    ? { kind: "question", id, version: id, sessionId, since, request }
    : { kind: "permission", id, version: request.digest, sessionId, since, request };
}

/** Null for a session that did not fail. */
export function failureEntry(session: SessionInfo): FailureEntry | null {
  if (session.state.status !== "failed") return null;
  const { sessionId, createdAt, latestSequence, updatedAt } = session;
  return {
    kind: "failure",
    // A session id may be used again; the moment tells one life of it from the next.
    id: `failure ${sessionId} ${createdAt}`,
    version: String(latestSequence),
    sessionId,
    since: updatedAt,
    session,
    error: session.state.error,
  };
}

/** @param requests oldest first, in the server's order, which equal times keep */
export function inboxEntries(
  requests: readonly (PendingPermission | PendingQuestion)[],
  sessions: readonly SessionInfo[],
): InboxEntry[] {
  const failures = sessions.flatMap((session) => failureEntry(session) ?? []);
  return [...requests.map(requestEntry), ...failures].toSorted((a, b) =>
    a.since === b.since ? 0 : a.since < b.since ? -1 : 1,
  );
}
