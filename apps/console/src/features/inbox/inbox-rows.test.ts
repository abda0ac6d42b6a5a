import type { PendingPermission, SessionInfo } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { inboxEntries, requestEntry } from "./inbox-entry.ts";
import { endWords, nextRows } from "./inbox-rows.ts";

function request(requestId: string, second: number): PendingPermission {
  return {
    sessionId: "a",
    requestId,
    promptId: "p",
    toolCall: {},
    options: [],
    digest: "d",
    requestedAt: `2026-03-10T12:00:0${second}.000Z`,
    agent: "demo",
    cwd: "/work",
    title: null,
  };
}

function session(sessionId: string, second: number, status: "idle" | "failed"): SessionInfo {
  const error = { code: "prompt_failed", message: "No", details: null, retryable: false } as const;
  return {
    sessionId,
    agent: "demo",
    cwd: "/work",
    additionalDirectories: [],
    permissionPolicy: "ask",
    state: status === "failed" ? { status, error } : { status },
    adapter: "unloaded",
    latestSequence: 7,
    title: null,
    metadata: null,
    usage: null,
    queuedPrompts: [],
    pendingPermissions: 0,
    createdAt: "2026-03-10T11:00:00.000Z",
    updatedAt: `2026-03-10T12:00:0${second}.000Z`,
  };
}

const [r1, r2, r3] = [request("r1", 1), request("r2", 2), request("r3", 3)] as const;

function seen(...lists: PendingPermission[][]): [string, boolean][] {
  const rows = lists
    .map((list) => list.map(requestEntry))
    .reduce<ReturnType<typeof nextRows>>(nextRows, []);
  return rows.map((row) => [row.entry.id, row.isPending]);
}

test("a request that ends keeps its place between the others", () => {
  expect(seen([r1, r2, r3], [r1, r3])).toEqual([
    ["r1", true],
    ["r2", false],
    ["r3", true],
  ]);
});

test("requests of one instant keep the server's order, also when one of them ends", () => {
  const [b, a, c] = [request("b", 1), request("a", 1), request("c", 1)] as const;
  expect(seen([b, a, c], [b, c]).map(([id]) => id)).toEqual(["b", "a", "c"]);
});

test("a request that turns out to be pending is shown once, as pending", () => {
  expect(seen([r1], [], [r1])).toEqual([["r1", true]]);
});

test("a new request comes at the end, one that was asked earlier before the later ones", () => {
  expect(seen([r2], [r2, r3], [r1, r2, r3]).map(([id]) => id)).toEqual(["r1", "r2", "r3"]);
});

test("of many ended requests the oldest go, never a pending one", () => {
  const many = Array.from({ length: 60 }, (_, index) => request(`m${index}`, 1));
  const shown = seen([r1, ...many], [r1]);
  expect(shown).toHaveLength(51);
  expect(shown[0]).toEqual(["r1", true]);
  expect(shown[1]).toEqual(["m10", false]);
});

test("failed sessions stand among the requests by age, others not at all", () => {
  const sessions = [session("late", 5, "failed"), session("idle", 1, "idle")];
  const entries = inboxEntries([r1, r3], [...sessions, session("early", 2, "failed")]);
  expect(entries.map(({ kind, sessionId }) => [kind, sessionId])).toEqual([
    ["permission", "a"],
    ["failure", "early"],
    ["permission", "a"],
    ["failure", "late"],
  ]);
});

test("what changed under an entry shows at its place", () => {
  const changed = requestEntry({ ...r1, digest: "other" });
  const rows = nextRows(nextRows([], [requestEntry(r1), requestEntry(r2)]), [
    changed,
    requestEntry(r2),
  ]);
  expect(rows[0]?.entry).toBe(changed);
});

test("the end of a request is told by who or by what", () => {
  const entry = requestEntry(r1);
  const event = {
    type: "permission_resolved",
    timestamp: "",
    sessionId: "a",
    requestId: "r",
  } as const;
  const resolvedBy = { kind: "token", name: "admin" } as const;
  expect(endWords(entry, { ...event, status: "accepted", resolvedBy })).toBe("Answered by admin");
  expect(endWords(entry, { ...event, status: "not_pending", reason: "adapter_exited" })).toBe(
    "The agent's process ended",
  );
  expect(endWords(entry, { ...event, status: "not_pending", reason: "new" })).toBe(
    "It is no longer open (new)",
  );
  expect(endWords(entry, undefined)).toBe("No longer pending");
});

test("the end of a question is told by who, and without a name as no longer pending", () => {
  const entry = requestEntry(r1);
  const event = {
    type: "question_resolved",
    timestamp: "",
    sessionId: "a",
    requestId: "q",
  } as const;
  const resolvedBy = { kind: "token", name: "admin" } as const;
  expect(endWords(entry, { ...event, action: "decline", resolvedBy })).toBe("Declined by admin");
  expect(endWords(entry, { ...event, action: "cancel" })).toBe("No longer pending");
});
