import type { JsonObject, SessionEvent } from "@signalbox/protocol";
import { describe, expect, test } from "vitest";
import { Transcript } from "./transcript.ts";
import { delta, durable, rowsOf, said } from "./transcript-fixtures.ts";
import type { ToolRow } from "./transcript-rows.ts";

function toolOf(...events: SessionEvent[]): ToolRow {
  const row = rowsOf(...events).find((candidate) => candidate.kind === "tool");
  if (row?.kind !== "tool") throw new Error("no tool row");
  return row;
}

describe("messages", () => {
  test("blocks of one message make one row, another message another", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const rows = rowsOf(
      said(1, "a"),
      said(2, "", { content: image }),
      said(3, "b", { messageId: "m2" }),
    );
    expect(rows).toMatchObject([
      { kind: "message", key: "e:1", blocks: [{ text: "a" }, image] },
      { kind: "message", key: "e:3", blocks: [{ text: "b" }] },
    ]);
  });

  test("a message that goes on after a tool call goes on below it", () => {
    const rows = rowsOf(said(1, "a"), durable(2, "tool_call", { toolCallId: "t" }), said(3, "b"));
    expect(rows.map((row) => row.kind)).toEqual(["message", "tool", "message"]);
  });

  test("a message that broke off is marked", () => {
    expect(rowsOf(said(1, "a", { _meta: { "signalbox/partial": true } }))).toMatchObject([
      { kind: "message", partial: true },
    ]);
  });
});

describe("live text", () => {
  test("the stored message takes over the row of its deltas", () => {
    const transcript = new Transcript();
    transcript.apply([durable(1, "user_message_chunk", { messageId: "u", content: null })]);
    transcript.apply([delta(1, "hel"), delta(1, "lo")]);
    const live = transcript.snapshot.rows.at(-1);
    expect(live).toMatchObject({ streaming: true, blocks: [{ text: "hello" }] });

    transcript.apply([said(2, "hello")]);
    const stored = transcript.snapshot.rows.at(-1);
    expect(stored).toMatchObject({ streaming: false, sequence: 2, blocks: [{ text: "hello" }] });
    expect(stored?.key).toBe(live?.key);
    expect(transcript.snapshot.rows).toHaveLength(2);
  });

  test("the taken-over key outlives older pages", () => {
    const transcript = new Transcript();
    transcript.apply([delta(4, "x")]);
    const key = transcript.snapshot.rows[0]?.key;
    transcript.apply([said(5, "x")]);
    transcript.apply([durable(1, "plan", { entries: [] })]);
    expect(transcript.snapshot.rows.map((row) => row.key)).toEqual(["e:1", key]);
  });

  test("deltas that come after their stored message are dropped", () => {
    const rows = rowsOf(delta(1, "he"), said(2, "hello"), delta(1, "llo"));
    expect(rows).toMatchObject([{ kind: "message", blocks: [{ text: "hello" }] }]);
    expect(rows).toHaveLength(1);
  });

  test("a delta of the next message survives the commit of the one before", () => {
    const rows = rowsOf(delta(1, "one"), delta(1, "two", { messageId: "m2" }), said(2, "one"));
    expect(rows).toMatchObject([
      { sequence: 2, streaming: false },
      { sequence: null, streaming: true, blocks: [{ text: "two" }] },
    ]);
  });

  test("a message goes on over an event that is stored in its middle", () => {
    const queued = durable(2, "_signalbox/prompt_queued", { promptId: "p2", position: 1 });
    const rows = rowsOf(delta(1, "hel"), queued, delta(2, "lo"), delta(2, " you"));
    expect(rows.at(-1)).toMatchObject({ streaming: true, blocks: [{ text: "hello you" }] });
  });

  test("the end of the turn leaves no live row behind", () => {
    const rows = rowsOf(delta(1, "lost"), durable(2, "_signalbox/turn_ended"), delta(1, " late"));
    expect(rows.map((row) => row.kind)).toEqual(["turn_end"]);
  });

  test("a thought and a message may be open together", () => {
    const rows = rowsOf(delta(1, "hm", { type: "agent_thought_chunk" }), delta(1, "so"));
    expect(rows.map((row) => row.kind)).toEqual(["thought", "message"]);
  });
});

describe("tool calls", () => {
  test("an update before the announcement makes the row", () => {
    const tool = toolOf(
      durable(1, "tool_call_update", { toolCallId: "t", status: "in_progress" }),
      durable(2, "tool_call", { toolCallId: "t", title: "Read", kind: "read", status: "pending" }),
    );
    expect(tool).toMatchObject({ title: "Read", toolKind: "read", status: "in_progress" });
  });

  test.each(["completed", "failed"])("the status never goes back from %s", (status) => {
    const tool = toolOf(
      durable(1, "tool_call", { toolCallId: "t" }),
      durable(2, "tool_call_update", { toolCallId: "t", status }),
      durable(3, "tool_call_update", { toolCallId: "t", status: "in_progress" }),
    );
    expect(tool).toMatchObject({ status, endedAt: "2026-01-01T00:00:02.000Z" });
  });

  test("absence and null never overwrite a value", () => {
    const tool = toolOf(
      durable(1, "tool_call", { toolCallId: "t", title: "Edit", rawInput: { a: 1 } }),
      durable(2, "tool_call_update", { toolCallId: "t", title: null, rawInput: null }),
    );
    expect(tool).toMatchObject({ title: "Edit", rawInput: { a: 1 } });
  });

  test("the end of the turn interrupts what is open, and only that", () => {
    const rows = rowsOf(
      durable(1, "tool_call", { toolCallId: "open" }),
      durable(2, "tool_call", { toolCallId: "done", status: "completed" }),
      durable(3, "_signalbox/turn_ended", { openToolCalls: ["open"], stopReason: "cancelled" }),
    );
    expect(rows).toMatchObject([
      { toolCallId: "open", interrupted: true, endedAt: "2026-01-01T00:00:03.000Z" },
      { toolCallId: "done", interrupted: false },
      { kind: "turn_end", stopReason: "cancelled" },
    ]);
  });

  test("equal ids of two turns are two calls", () => {
    const rows = rowsOf(
      durable(1, "tool_call", { toolCallId: "t", title: "first" }),
      durable(2, "tool_call", { toolCallId: "t", title: "second", promptId: "p2" }),
      durable(3, "tool_call_update", { toolCallId: "t", promptId: null, status: "failed" }),
    );
    expect(rows).toMatchObject([
      { title: "first", status: "pending" },
      { title: "second", status: "failed" },
    ]);
  });

  test("a terminal of the agent's own fills and exits through _meta", () => {
    const update = (sequence: number, meta: JsonObject) =>
      durable(sequence, "tool_call_update", { toolCallId: "t", _meta: meta });
    const tool = toolOf(
      durable(1, "tool_call", {
        toolCallId: "t",
        content: [{ type: "terminal", terminalId: "x" }],
        _meta: { terminal_info: { terminal_id: "x", cwd: "/w" } },
      }),
      update(2, { terminal_output: { terminal_id: "x", data: "a\n" } }),
      update(3, { terminal_output: { terminal_id: "x", data: "b\n" } }),
      update(4, { terminal_exit: { terminal_id: "x", exit_code: 1, signal: null } }),
    );
    expect(tool.terminals).toMatchObject([
      { terminalId: "x", cwd: "/w", output: "a\nb\n", exited: true, exitCode: 1 },
    ]);
  });
});

describe("permissions", () => {
  const option = { optionId: "odd/1", name: "Do it", kind: "sudo" };
  const asked = durable(1, "permission_request", {
    requestId: "r",
    digest: "d",
    options: [option],
    toolCall: { toolCallId: "t" },
  });
  const answered = durable(2, "permission_response", {
    requestId: "r",
    status: "not_pending",
    reason: "prompt_cancelled",
    outcome: { outcome: "cancelled" },
    resolvedBy: { kind: "login", name: "ada" },
  });

  test("request and response are one row", () => {
    expect(rowsOf(asked, answered)).toMatchObject([
      {
        kind: "permission",
        digest: "d",
        options: [option],
        response: { reason: "prompt_cancelled", resolvedBy: { name: "ada" } },
      },
    ]);
  });

  test("a response whose request is on an older page joins it when that page comes", () => {
    const transcript = new Transcript();
    transcript.apply([answered]);
    expect(transcript.snapshot.rows).toMatchObject([{ toolCall: null }]);
    transcript.apply([asked]);
    expect(transcript.snapshot.rows).toEqual(rowsOf(asked, answered));
  });
});

describe("questions", () => {
  const asked = durable(1, "_signalbox/question_request", {
    requestId: "q",
    message: "Who?",
    mode: "form",
    schema: { properties: {} },
  });
  const ended = durable(2, "_signalbox/question_response", {
    requestId: "q",
    action: "decline",
    status: "accepted",
    resolvedBy: { kind: "login", name: "ada" },
  });

  test("a question and its end are one row", () => {
    expect(rowsOf(asked, ended)).toMatchObject([
      {
        kind: "question",
        message: "Who?",
        mode: "form",
        schema: { properties: {} },
        response: { action: "decline", status: "accepted", resolvedBy: { name: "ada" } },
      },
    ]);
  });

  test("an end whose question is on an older page joins it when that page comes", () => {
    const transcript = new Transcript();
    transcript.apply([ended]);
    expect(transcript.snapshot.rows).toMatchObject([{ message: null }]);
    transcript.apply([asked]);
    expect(transcript.snapshot.rows).toEqual(rowsOf(asked, ended));
  });

  test("a question that was not asked, and a link that is done, are told in one line", () => {
    const error = { message: "too many requests wait for an answer" };
    const rows = rowsOf(
      durable(1, "_signalbox/question_unsatisfied", { message: "Who?", mode: "form", error }),
      durable(2, "_signalbox/question_completed", { requestId: "q" }),
    );
    expect(rows).toMatchObject([
      { kind: "notice", tone: "warning", detail: error.message },
      { kind: "notice", tone: "quiet" },
    ]);
  });
});

describe("messages that are not stored yet", () => {
  const blocks = [{ type: "text", text: "hi" }];
  const stored = durable(1, "user_message_chunk", { messageId: "u", content: blocks[0] ?? null });

  test("the stored message takes over the row", () => {
    const transcript = new Transcript();
    transcript.putLocal({ key: "k", blocks, delivery: "sending", promptId: null });
    transcript.putLocal({ key: "k", blocks, delivery: "accepted", promptId: "p1" });
    const key = transcript.snapshot.rows[0]?.key;
    transcript.apply([stored]);
    expect(transcript.snapshot.rows).toMatchObject([{ key, delivery: "stored", sequence: 1 }]);
  });

  test("a message that is stored before our call is answered shows once", () => {
    const transcript = new Transcript();
    transcript.putLocal({ key: "k", blocks, delivery: "sending", promptId: null });
    transcript.apply([stored]);
    expect(transcript.snapshot.rows).toHaveLength(1);
    transcript.putLocal({ key: "k", blocks, delivery: "accepted", promptId: "p1" });
    expect(transcript.snapshot.rows).toMatchObject([{ delivery: "stored" }]);
  });

  test("a queued message that is cancelled before it starts goes", () => {
    const transcript = new Transcript();
    transcript.putLocal({ key: "k", blocks, delivery: "queued", promptId: "p1" });
    transcript.apply([
      durable(1, "_signalbox/prompt_queued", { position: 1 }),
      durable(2, "_signalbox/turn_ended", { stopReason: "cancelled" }),
    ]);
    expect(transcript.snapshot.rows).toMatchObject([
      { kind: "queued", state: "ended" },
      { kind: "turn_end", stopReason: "cancelled" },
    ]);
  });
});

describe("everything else", () => {
  test("an unknown kind is a row with all it carries", () => {
    const event = durable(1, "weather_update", { degrees: 21 });
    expect(rowsOf(event)).toMatchObject([{ kind: "unknown", type: "weather_update", raw: event }]);
  });

  test("a later plan of the turn replaces, one of a later turn folds the earlier", () => {
    const entry = (content: string) => ({ content, status: "pending", priority: "high" });
    const rows = rowsOf(
      durable(1, "plan", { entries: [entry("a")] }),
      durable(2, "plan", { entries: [entry("b")] }),
      durable(3, "plan", { entries: [entry("c")], promptId: "p2" }),
    );
    expect(rows).toMatchObject([
      { key: "e:1", superseded: true, entries: [{ content: "b" }] },
      { superseded: false, entries: [{ content: "c" }] },
    ]);
  });

  test("the open turn is known from its events", () => {
    const transcript = new Transcript();
    transcript.apply([durable(1, "_signalbox/prompt_queued", { promptId: "p2" }), said(2, "a")]);
    expect(transcript.snapshot.facts.openPromptId).toBe("p1");
    transcript.apply([durable(3, "_signalbox/turn_ended")]);
    expect(transcript.snapshot.facts.openPromptId).toBeNull();
  });

  test("rows that an older page does not touch stay the same objects", () => {
    const transcript = new Transcript();
    transcript.apply([durable(5, "tool_call", { toolCallId: "t" }), said(6, "a")]);
    const before = transcript.snapshot.rows;
    transcript.apply([durable(1, "plan", { entries: [] })]);
    transcript.apply([said(7, "b", { messageId: "m2" })]);
    const after = transcript.snapshot.rows;
    expect(after[1]).toBe(before[0]);
    expect(after[2]).toBe(before[1]);
  });

  test("trimming keeps the newest and tells what is left", () => {
    const transcript = new Transcript();
    transcript.apply([1, 2, 3, 4].map((n) => said(n, "x", { messageId: `m${n}` })));
    transcript.trim(2);
    expect(transcript.snapshot).toMatchObject({ firstSequence: 3, latestSequence: 4 });
    expect(transcript.snapshot.rows.map((row) => row.key)).toEqual(["e:3", "e:4"]);
  });
});
