import { expect, test } from "vitest";
import { batchPlan } from "./batch.ts";
import { type InboxEntry, requestEntry } from "./inbox-entry.ts";

function asking(requestId: string, ...kinds: string[]): InboxEntry {
  return requestEntry({
    sessionId: "a",
    requestId,
    promptId: null,
    toolCall: {},
    options: kinds.map((kind, index) => ({ optionId: `${requestId}${index}`, name: kind, kind })),
    digest: "d",
    requestedAt: "",
    agent: "demo",
    cwd: "/",
    title: null,
  });
}

const question: InboxEntry = requestEntry({
  sessionId: "a",
  requestId: "q",
  promptId: null,
  message: "?",
  mode: "form",
  requestedAt: "",
});

test("each request gets its own option of the kind", () => {
  const entries = [asking("x", "reject_once", "allow_once"), asking("y", "allow_once")];
  const plan = batchPlan(entries, "allow_once");
  expect(plan.answers.map(({ option }) => option.optionId)).toEqual(["x1", "y0"]);
  expect(plan.leftOut).toEqual([]);
});

test("who has no such option, two of them, or is no permission request is left out and told why", () => {
  const entries = [
    asking("none", "allow_always", "reject_once"),
    asking("two", "allow_once", "allow_once"),
    question,
  ];
  const plan = batchPlan(entries, "allow_once");
  expect(plan.answers).toEqual([]);
  expect(plan.leftOut.map(({ why }) => why)).toEqual([
    "No option to allow this time",
    "2 options to allow this time",
    "A question is answered by itself",
  ]);
});

test("a lasting option is never taken for one that holds once", () => {
  const lasting = asking("x", "allow_always", "reject_always", "allow_once_more");
  expect(batchPlan([lasting], "allow_once").answers).toEqual([]);
  expect(batchPlan([lasting], "reject_once").answers).toEqual([]);
});
