import type { PendingPermission } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { endedAfter, inboxRows, resolutionText } from "./inbox-rows.ts";

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

test("a request that ends keeps its place between the others", () => {
  const ended = endedAfter([r1, r2, r3], [r1, r3], []);
  const rows = inboxRows([r1, r3], ended);
  expect(rows.map((row) => [row.request.requestId, row.isPending])).toEqual([
    ["r1", true],
    ["r2", false],
    ["r3", true],
  ]);
});

test("a request that turns out to be pending is shown once, as pending", () => {
  const ended = endedAfter([r1], [], []);
  expect(endedAfter([], [r1], ended)).toEqual([]);
});

test("a list that only grew ends nothing", () => {
  const ended = [r1];
  expect(endedAfter([r2], [r2, r3], ended)).toBe(ended);
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
