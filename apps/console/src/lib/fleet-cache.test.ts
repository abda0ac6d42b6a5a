import type { FleetEvent, PendingPermission, SessionInfo } from "@signalbox/protocol";
import { expect, test } from "vitest";
import {
  patchPending,
  patchQuestions,
  patchSessionPages,
  type SessionPage,
} from "./fleet-cache.ts";

const AT = "2026-03-10T12:00:00.000Z";

function session(sessionId: string, fields: Partial<SessionInfo> = {}): SessionInfo {
  return {
    sessionId,
    agent: "demo",
    cwd: "/work",
    additionalDirectories: [],
    permissionPolicy: "ask",
    state: { status: "idle" },
    adapter: "live",
    latestSequence: 1,
    title: null,
    metadata: null,
    usage: null,
    queuedPrompts: [],
    pendingPermissions: 0,
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  };
}

function request(requestId: string, requestedAt: string, sessionId = "a"): PendingPermission {
  return {
    sessionId,
    requestId,
    promptId: "p",
    toolCall: {},
    options: [],
    digest: "d",
    requestedAt,
    agent: "demo",
    cwd: "/work",
    title: null,
  };
}

const changed = (row: SessionInfo): FleetEvent => ({
  type: "session_changed",
  timestamp: AT,
  session: row,
});

function ids(pages: SessionPage[]): string[][] {
  return pages.map((page) => page.sessions.map((row) => row.sessionId));
}

const PAGES: SessionPage[] = [
  { sessions: [session("a"), session("b")], nextCursor: "2" },
  { sessions: [session("c")], nextCursor: null },
];

test("a changed session is patched where it stands, on whichever page", () => {
  const row = session("c", { state: { status: "running", promptId: "p", startedAt: AT } });
  const pages = patchSessionPages(PAGES, changed(row));
  expect(ids(pages)).toEqual([["a", "b"], ["c"]]);
  expect(pages[1]?.sessions[0]).toBe(row);
  expect(pages[0]).toBe(PAGES[0]);
});

test("an unknown session goes on top, once", () => {
  const event = changed(session("new"));
  const once = patchSessionPages(PAGES, event);
  expect(ids(once)).toEqual([["new", "a", "b"], ["c"]]);
  expect(ids(patchSessionPages(once, event))).toEqual([["new", "a", "b"], ["c"]]);
});

test("an event older than the row changes nothing", () => {
  const pages = [{ sessions: [session("a", { latestSequence: 9 })], nextCursor: null }];
  expect(patchSessionPages(pages, changed(session("a", { latestSequence: 8 })))).toBe(pages);
});

test("a session that was deleted and opened again replaces its older self", () => {
  const pages = [{ sessions: [session("a", { latestSequence: 9 })], nextCursor: null }];
  const again = session("a", { latestSequence: 0, createdAt: "2026-03-11T12:00:00.000Z" });
  expect(patchSessionPages(pages, changed(again))[0]?.sessions[0]).toBe(again);
});

test("a deleted session leaves every page; deleting it again changes nothing", () => {
  const event: FleetEvent = { type: "session_deleted", timestamp: AT, sessionId: "b" };
  const pages = patchSessionPages(PAGES, event);
  expect(ids(pages)).toEqual([["a"], ["c"]]);
  expect(patchSessionPages(pages, event)).toBe(pages);
});

test("a filtered list takes in and lets go by agent and state", () => {
  const filter = { agent: "demo", status: "idle" } as const;
  const failed = session("a", {
    state: {
      status: "failed",
      error: { code: "internal", message: "m", details: null, retryable: false },
    },
  });
  expect(ids(patchSessionPages(PAGES, changed(failed), filter))).toEqual([["b"], ["c"]]);
  const other = changed(session("x", { agent: "other" }));
  expect(patchSessionPages(PAGES, other, filter)).toBe(PAGES);
  expect(ids(patchSessionPages(PAGES, changed(session("y")), filter))[0]).toEqual(["y", "a", "b"]);
});

test("a searched list takes in nothing that only the server can match", () => {
  const filter = { search: "needle" };
  expect(patchSessionPages(PAGES, changed(session("x")), filter)).toBe(PAGES);
  const known = session("a", { title: "needle" });
  expect(patchSessionPages(PAGES, changed(known), filter)[0]?.sessions[0]).toBe(known);
});

test("pending requests stay oldest first and without repetition", () => {
  const late = request("r3", "2026-03-10T12:00:03.000Z");
  const early = request("r1", "2026-03-10T12:00:01.000Z");
  const middle = request("r2", "2026-03-10T12:00:02.000Z");
  const all = [late, early, middle, early].reduce<PendingPermission[]>(
    (pending, one) =>
      patchPending(pending, { type: "permission_requested", timestamp: AT, request: one }),
    [],
  );
  expect(all.map((one) => one.requestId)).toEqual(["r1", "r2", "r3"]);
});

test("a request leaves when it is resolved, and with its session", () => {
  const pending = [request("r1", AT, "a"), request("r2", AT, "b"), request("r3", AT, "b")];
  const resolved = patchPending(pending, {
    type: "permission_resolved",
    timestamp: AT,
    sessionId: "a",
    requestId: "r1",
    status: "accepted",
  });
  expect(resolved.map((one) => one.requestId)).toEqual(["r2", "r3"]);
  const gone: FleetEvent = { type: "session_deleted", timestamp: AT, sessionId: "b" };
  expect(patchPending(resolved, gone)).toEqual([]);
  expect(patchPending([], gone)).toEqual([]);
});

test("a question comes with its news, once, and leaves when it is answered or with its session", () => {
  const question = {
    sessionId: "a",
    requestId: "q1",
    promptId: null,
    message: "Who?",
    mode: "form",
    requestedAt: AT,
  } as const;
  const asked: FleetEvent = { type: "question_requested", timestamp: AT, request: question };
  const pending = patchQuestions(patchQuestions([], asked), asked);
  expect(pending).toEqual([question]);
  const answered: FleetEvent = {
    type: "question_resolved",
    timestamp: AT,
    sessionId: "a",
    requestId: "q1",
    action: "decline",
  };
  expect(patchQuestions(pending, answered)).toEqual([]);
  const gone: FleetEvent = { type: "session_deleted", timestamp: AT, sessionId: "a" };
  expect(patchQuestions(pending, gone)).toEqual([]);
  expect(patchQuestions(pending, { ...gone, sessionId: "b" })).toBe(pending);
});
