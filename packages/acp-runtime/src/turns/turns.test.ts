import { AppError, isJsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { ScriptedFailure } from "../testing/scripted-failure.ts";
import { OPERATOR } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

test("a prompt is stored, answered and ended in the order it happened", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.think("hm");
    await turn.say("Hel");
    await turn.say("lo");
    await turn.update({
      sessionUpdate: "tool_call",
      toolCallId: "t1",
      title: "look",
      status: "pending",
    });
    await turn.say("Done");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const result = await ctx.prompt("hi");
  expect(result).toMatchObject({
    stopReason: "end_turn",
    message: { role: "agent", content: [{ text: "Hello" }, { text: "Done" }] },
  });
  const events = await ctx.events();
  expect(events.map((event) => event.type)).toEqual([
    "user_message_chunk",
    "agent_thought_chunk",
    "agent_message_chunk",
    "tool_call",
    "agent_message_chunk",
    "_signalbox/turn_ended",
  ]);
  expect(events.map((event) => event.sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(events.at(-1)).toMatchObject({ stopReason: "end_turn", openToolCalls: ["t1"] });
  expect(new Set(events.map((event) => event.promptId))).toEqual(new Set([result.promptId]));
});

test("fifty equal calls with one key are one turn with fifty equal results", async () => {
  let turns = 0;
  const agent = scriptedAgent(async (turn) => {
    turns += 1;
    await turn.say("once");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const results = await Promise.all(
    Array.from({ length: 50 }, () => ctx.prompt("go", { idempotencyKey: "k" })),
  );
  expect(turns).toBe(1);
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect((await ctx.submit("go", { idempotencyKey: "k" })).repeated).toBe(true);
  await expect(ctx.submit("other", { idempotencyKey: "k" })).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
});

test("a second prompt is refused while one runs, or waits its turn in the queue", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "first") await turn.untilCancelled();
    await turn.say(turn.text);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const first = await ctx.submit("first");
  await agent.called("session/prompt");
  await expect(ctx.submit("second")).rejects.toMatchObject({ code: "session_busy" });
  const queued = await ctx.submit("third", { whenBusy: "queue" });
  const info = await ctx.runtime.getSession("main");
  expect(info.queuedPrompts.map((prompt) => prompt.promptId)).toEqual([queued.promptId]);
  const target = { sessionId: "main", promptId: first.promptId, wait: true };
  expect(await ctx.runtime.cancelPrompt(target, OPERATOR, NEVER)).toEqual({ status: "cancelled" });
  const result = await ctx.runtime.promptResult(
    { sessionId: "main", promptId: queued.promptId },
    NEVER,
  );
  expect(result.message?.content).toEqual([{ type: "text", text: "third" }]);
  const types = (await ctx.events()).map((event) => event.type);
  expect(types.filter((type) => type === "_signalbox/prompt_queued")).toHaveLength(1);
  expect(types.filter((type) => type === "user_message_chunk")).toHaveLength(2);
});

test("a cancel is cancelled whatever the agent answers, and what was said is kept as partial", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("half a");
    await turn.untilCancelled();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const from = { sessionId: "main", after: 0, lastEventId: null };
  for await (const { event } of ctx.runtime.followSession(from, NEVER)) {
    if (event.durability === "ephemeral") break;
  }
  const target = { sessionId: "main", promptId: undefined, wait: true };
  await ctx.runtime.cancelPrompt(target, OPERATOR, NEVER);
  const result = await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(result.stopReason).toBe("cancelled");
  const said = (await ctx.events()).find((event) => event.type === "agent_message_chunk");
  expect(said).toMatchObject({
    content: { text: "half a" },
    _meta: { "signalbox/partial": true },
  });
  const again = { sessionId: "main", promptId, wait: false };
  expect(await ctx.runtime.cancelPrompt(again, OPERATOR, NEVER)).toEqual({
    status: "no_active_prompt",
  });
});

test("an agent that ignores cancel is stopped after the grace and the turn is cancelled", async () => {
  const agent = scriptedAgent(() => new Promise<undefined>(() => undefined), {
    handle: { "session/cancel": () => null },
  });
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 20 } });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  expect(await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER)).toMatchObject({
    stopReason: "cancelled",
  });
  expect(agent.running).toBe(0);
});

test("a crash keeps what was said, tells how the agent ended and fails the turn", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("so far");
    turn.stderr("boom\n");
    turn.crash({ code: 3 });
    return undefined;
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await expect(ctx.prompt("go")).rejects.toMatchObject({
    code: "adapter_exited",
    details: { exitCode: 3, delivery: "uncertain" },
  });
  const events = await ctx.events();
  expect(events.map((event) => event.type)).toEqual([
    "user_message_chunk",
    "agent_message_chunk",
    "_signalbox/adapter_exited",
    "_signalbox/turn_ended",
  ]);
  expect(events[1]).toMatchObject({ _meta: { "signalbox/partial": true } });
  expect(events[2]).toMatchObject({ exitCode: 3, restart: "not_attempted" });
  expect((await ctx.runtime.getSession("main")).state).toMatchObject({ status: "failed" });
});

test("an agent's error fails the turn with its code and words", async () => {
  const agent = scriptedAgent(async () => {
    throw new ScriptedFailure(-32603, "no credit", { hint: "pay" });
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const failure = await ctx.prompt("go").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({
    code: "prompt_failed",
    details: { rpcCode: -32603, rpcMessage: "no credit", rpcData: { hint: "pay" } },
  });
});

test("a stop reason that ACP does not know fails the turn", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "whatever") });
  await ctx.open();
  await expect(ctx.prompt("go")).rejects.toMatchObject({ code: "invalid_stop_reason" });
});

test("output behind the answer in the same write is not of the turn", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("in time");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const result = await ctx.prompt("go");
  const voice = agent.voice(agent.sessionIds[0] ?? "");
  await voice.update({ sessionUpdate: "from_the_future", detail: { a: 1 } });
  await expect.poll(() => ctx.types()).toContain("from_the_future");
  const late = (await ctx.events()).at(-1);
  expect(late).toMatchObject({ type: "from_the_future", promptId: null, detail: { a: 1 } });
  expect(result.message?.content).toEqual([{ type: "text", text: "in time" }]);
});

test("a prompt that can't be accepted leaves no trace", async () => {
  await using ctx = await testRuntime({
    agent: scriptedAgent(async () => "end_turn"),
    limits: { maxPromptBytes: 200 },
  });
  await ctx.open();
  await expect(ctx.submit("x".repeat(300))).rejects.toMatchObject({
    code: "prompt_too_large",
    details: { limit: "limits.acp.maxPromptBytes", max: 200 },
  });
  await expect(ctx.submit("", { content: [] })).rejects.toMatchObject({ code: "bad_request" });
  await expect(
    ctx.submit("", { content: [{ type: "image", data: "AA==", mimeType: "image/png" }] }),
  ).rejects.toMatchObject({ code: "unsupported_content" });
  await expect(ctx.submit("", { content: [{ type: "poem" }] })).rejects.toMatchObject({
    code: "invalid_content_block",
  });
  await expect(ctx.submit("hi", { sessionId: "nowhere" })).rejects.toMatchObject({
    code: "session_not_found",
  });
  expect(await ctx.events()).toEqual([]);
});

test("after a kill every started turn is closed, and queued prompts stay queued", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "first") {
      await turn.say("spoken before the end");
      await turn.untilCancelled();
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const first = await ctx.submit("first");
  const second = await ctx.submit("second", { whenBusy: "queue" });
  await agent.called("session/prompt");
  await using after = await ctx.afterCrash();
  const target = { sessionId: "main", promptId: first.promptId };
  await expect(after.runtime.promptResult(target, NEVER)).rejects.toMatchObject({
    code: "prompt_delivery_uncertain",
    details: { delivery: "uncertain" },
  });
  const info = await after.runtime.getSession("main");
  expect(info.queuedPrompts.map((prompt) => prompt.promptId)).toEqual([second.promptId]);
  expect(info.state.status).toBe("failed");
});

test("a message told live is told once, whatever is stored in its middle", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("one ");
    if (turn.text === "first") {
      await turn.untilCancelled();
      await turn.say("two");
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const ends = new AbortController();
  let live = "";
  const watched = (async () => {
    const from = { sessionId: "main", after: 0, lastEventId: null };
    for await (const { event } of ctx.runtime.followSession(from, ends.signal)) {
      if (event.durability === "ephemeral" && isJsonObject(event.content)) {
        live += String(event.content.text);
      }
      if (event.type === "_signalbox/turn_ended") ends.abort();
    }
  })();
  await ctx.submit("first");
  await expect.poll(() => live).toBe("one ");
  await ctx.submit("second", { whenBusy: "queue" });
  await expect.poll(() => ctx.types()).toContain("_signalbox/prompt_queued");
  const cancel = { sessionId: "main", promptId: undefined, wait: false };
  await ctx.runtime.cancelPrompt(cancel, OPERATOR, NEVER);
  await watched;
  expect(live.startsWith("one one")).toBe(false);
});

test("after a cancel everything still said is marked as cut short", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("before");
    await turn.untilCancelled();
    await turn.update({ sessionUpdate: "usage_update", used: 1, size: 2 });
    await turn.say("after");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  const said = (await ctx.events()).filter((event) => event.type === "agent_message_chunk");
  expect(said.map((event) => event._meta)).toEqual(said.map(() => ({ "signalbox/partial": true })));
  expect(said.length).toBeGreaterThan(0);
});
