import { expect, test } from "vitest";
import { noticeText, unseenRequests } from "./notice-text.ts";

const asked = {
  sessionId: "s",
  requestId: "p1",
  promptId: null,
  toolCall: { toolCallId: "t", title: "Run\n  rm   -rf build" },
  options: [],
  digest: "",
  requestedAt: "2026-03-10T12:00:00.000Z",
  agent: "demo",
  cwd: "/",
  title: null,
};

test("a notification starts with our own words and shows the agent's on one line", () => {
  expect(noticeText(asked)).toBe("Asks for permission: Run rm -rf build");
  expect(noticeText({ ...asked, toolCall: { toolCallId: "t" } })).toBe("Asks for permission");
  const { toolCall: _, ...rest } = asked;
  expect(noticeText({ ...rest, message: "Which branch?", mode: "form" })).toBe(
    "Has a question: Which branch?",
  );
});

test("a long text is cut between characters", () => {
  const text = noticeText({ ...asked, toolCall: { toolCallId: "t", title: "😀".repeat(500) } });
  expect([...text]).toHaveLength(160);
  expect(text.endsWith("😀…")).toBe(true);
});

test("what waited before the page was opened is no news", () => {
  expect(unseenRequests(null, [asked])).toEqual([]);
  expect(unseenRequests(new Set(["p0"]), [asked])).toEqual([asked]);
  expect(unseenRequests(new Set(["p1"]), [asked])).toEqual([]);
});
