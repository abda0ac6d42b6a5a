/**
 * How the fleet's events change what the tab has cached. Pure: a list goes in, a list comes out,
 * the same one if nothing changed.
 *
 * A row is patched where it stands and a new one goes on top: nothing moves under the pointer.
 * The server's order returns with the next refetch.
 */
import type {
  FleetEvent,
  PendingPermission,
  PendingQuestion,
  SessionInfo,
  SessionStatus,
} from "@signalbox/protocol";

export interface SessionFilter {
  agent?: string | undefined;
  status?: SessionStatus | undefined;
  search?: string | undefined;
}

export interface SessionPage {
  sessions: SessionInfo[];
  nextCursor: string | null;
}

/** Whether a session belongs in a list; null when only the server can tell. */
export function matchesFilter(session: SessionInfo, filter: SessionFilter): boolean | null {
  if (filter.agent !== undefined && session.agent !== filter.agent) return false;
  if (filter.status !== undefined && session.state.status !== filter.status) return false;
  return filter.search === undefined || filter.search === "" ? true : null;
}

/** An event may arrive after a fetch that already saw more. */
function isOlder(session: SessionInfo, than: SessionInfo): boolean {
  return session.createdAt === than.createdAt && session.latestSequence < than.latestSequence;
}

/** Applies one event to the pages of one list. */
export function patchSessionPages(
  pages: SessionPage[],
  event: FleetEvent,
  filter: SessionFilter = {},
): SessionPage[] {
  if (event.type === "session_deleted") return withoutSession(pages, event.sessionId);
  if (event.type !== "session_created" && event.type !== "session_changed") return pages;
  const { session } = event;
  const matches = matchesFilter(session, filter);
  const known = pages
    .flatMap((page) => page.sessions)
    .find(({ sessionId }) => sessionId === session.sessionId);
  if (known !== undefined) {
    if (isOlder(session, known)) return pages;
    if (matches === false) return withoutSession(pages, session.sessionId);
    return replaceSession(pages, session);
  }
  const [first, ...rest] = pages;
  if (matches !== true || first === undefined) return pages;
  return [{ ...first, sessions: [session, ...first.sessions] }, ...rest];
}

function withoutSession(pages: SessionPage[], sessionId: string): SessionPage[] {
  if (!pages.some((page) => page.sessions.some((row) => row.sessionId === sessionId))) return pages;
  return pages.map((page) => ({
    ...page,
    sessions: page.sessions.filter((row) => row.sessionId !== sessionId),
  }));
}

function replaceSession(pages: SessionPage[], session: SessionInfo): SessionPage[] {
  return pages.map((page) =>
    page.sessions.some((row) => row.sessionId === session.sessionId)
      ? {
          ...page,
          sessions: page.sessions.map((row) =>
            row.sessionId === session.sessionId ? session : row,
          ),
        }
      : page,
  );
}

/** Applies one event to the pending requests of all sessions, which stay oldest first. */
export function patchPending(pending: PendingPermission[], event: FleetEvent): PendingPermission[] {
  if (event.type === "permission_requested") return withRequest(pending, event.request);
  if (event.type === "permission_resolved") {
    return without(pending, (request) => request.requestId === event.requestId);
  }
  if (event.type === "session_deleted") {
    return without(pending, (request) => request.sessionId === event.sessionId);
  }
  return pending;
}

/** The same for questions. */
export function patchQuestions(pending: PendingQuestion[], event: FleetEvent): PendingQuestion[] {
  if (event.type === "question_requested") return withRequest(pending, event.request);
  if (event.type === "question_resolved") {
    return without(pending, (question) => question.requestId === event.requestId);
  }
  if (event.type === "session_deleted") {
    return without(pending, (question) => question.sessionId === event.sessionId);
  }
  return pending;
}

function withRequest<R extends { requestId: string; requestedAt: string }>(
  pending: R[],
  request: R,
): R[] {
  if (pending.some(({ requestId }) => requestId === request.requestId)) return pending;
  const at = pending.findIndex((other) => other.requestedAt > request.requestedAt);
  return at === -1 ? [...pending, request] : pending.toSpliced(at, 0, request);
}

function without<R>(pending: R[], isGone: (request: R) => boolean): R[] {
  return pending.some(isGone) ? pending.filter((request) => !isGone(request)) : pending;
}

/** Permission requests and questions of a session that wait for an answer. */
export function pendingCountOf({ pendingPermissions, state }: SessionInfo): number {
  return pendingPermissions + (state.status === "waiting" ? state.questions.length : 0);
}
