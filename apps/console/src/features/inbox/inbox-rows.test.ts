import type { PendingPermission } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { nextRows, resolutionText } from "./inbox-rows.ts";

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

const [r1, r2, r3] = [request("r1", 1), request("r2", 2), request("r3", 3)] as const;

function seen(...lists: PendingPermission[][]): [string, boolean][] {
  const rows = lists.reduce<ReturnType<typeof nextRows>>(nextRows, []);
  return rows.map((row) => [row.request.requestId, row.isPending]);
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

test("the end of a request is told by who or by what", () => {
  const event = {
    type: "permission_resolved",
    timestamp: "",
    sessionId: "a",
    requestId: "r",
  } as const;
  const resolvedBy = { kind: "token", name: "admin" } as const;
  expect(resolutionText({ ...event, status: "accepted", resolvedBy })).toBe("Answered by admin");
  expect(resolutionText({ ...event, status: "not_pending", reason: "adapter_exited" })).toBe(
    "The adapter exited",
  );
  expect(resolutionText({ ...event, status: "not_pending", reason: "new" })).toBe(
    "No longer pending",
  );
  expect(resolutionText(undefined)).toBe("No longer pending");
});

test("the end of a question is told by who, and without a name as no longer pending", () => {
  const event = {
    type: "question_resolved",
    timestamp: "",
    sessionId: "a",
    requestId: "q",
  } as const;
  const resolvedBy = { kind: "token", name: "admin" } as const;
  expect(resolutionText({ ...event, action: "decline", resolvedBy })).toBe("Declined by admin");
  expect(resolutionText({ ...event, action: "cancel" })).toBe("No longer pending");
});
