import type { DurableEvent, JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { eventSummary } from "./event-summary.ts";

function event(type: string, fields: JsonObject): DurableEvent {
  return {
    durability: "durable",
    sessionId: "s",
    sequence: 1,
    timestamp: "2026-03-10T12:00:00.000Z",
    promptId: null,
    type,
    ...fields,
  };
}

test.each<[string, JsonObject, string]>([
  ["agent_message_chunk", { content: { type: "text", text: "Hello\n  there" } }, "Hello there"],
  ["agent_message_chunk", { content: { type: "image", data: "…" } }, "image"],
  ["tool_call", { title: "Run tests", status: "pending" }, "Run tests · pending"],
  ["permission_request", { toolCall: { title: "rm -rf build" } }, "rm -rf build"],
  [
    "permission_response",
    { status: "accepted", outcome: { optionId: "allow" } },
    "accepted · allow",
  ],
  ["_signalbox/turn_ended", { stopReason: "end_turn" }, "end_turn"],
  ["_signalbox/turn_ended", { error: { code: "adapter_exited" } }, "adapter_exited"],
  ["_signalbox/adapter_exited", { exitCode: 1 }, "exit code 1"],
  ["anything", { other: true }, ""],
])("an event %s with %o is told as “%s”", (type, fields, words) => {
  expect(eventSummary(event(type, fields))).toBe(words);
});

test("a long text is cut, and hidden characters show", () => {
  const long = eventSummary(event("x", { title: "😀".repeat(1_000) }));
  expect([...long]).toHaveLength(201);
  expect(eventSummary(event("x", { title: "a\u202eb" }))).toBe("a[U+202E]b");
});
