/** Starts that are cut short or shared, and the count of sessions. */
import { expect, test } from "vitest";
import { ScriptedFailure, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR } from "../testing/test-runtime.ts";

const neverStarting = () =>
  scriptedAgent(async () => "end_turn", {
    handle: { "session/new": () => new Promise(() => undefined) },
  });

test("a delete ends an open that is still starting, and leaves neither row nor process", async () => {
  const agent = neverStarting();
  await using ctx = await testRuntime({ agent });
  const opening = ctx.open();
  const failed = expect(opening).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { cancelledBy: "sessions.delete" },
  });
  await agent.called("session/new");
  await ctx.runtime.deleteSession("main", OPERATOR);
  await failed;
  expect(agent.running).toBe(0);
  await expect(ctx.runtime.getSession("main")).rejects.toMatchObject({ code: "session_not_found" });
});

test("an unload ends a restore that an open waits for", async () => {
  let isHanging = false;
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { resume: {} } },
    handle: {
      "session/resume": () => (isHanging ? new Promise(() => undefined) : {}),
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  isHanging = true;
  const failed = expect(ctx.open()).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { cancelledBy: "sessions.unload" },
  });
  await agent.called("session/resume");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await failed;
  expect(agent.running).toBe(0);
  isHanging = false;
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
});

test("a prompt is cancelled while its session is still being restored", async () => {
  let isHanging = false;
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { resume: {} } },
    handle: { "session/resume": () => (isHanging ? new Promise(() => undefined) : {}) },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  isHanging = true;
  const { promptId } = await ctx.submit("go");
  await agent.called("session/resume");
  const target = { sessionId: "main", promptId, wait: true };
  const signal = new AbortController().signal;
  expect(await ctx.runtime.cancelPrompt(target, OPERATOR, signal)).toEqual({ status: "cancelled" });
  const result = await ctx.runtime.promptResult({ sessionId: "main", promptId }, signal);
  expect(result).toMatchObject({ stopReason: "cancelled", message: null });
  expect(agent.callsOf("session/prompt")).toEqual([]);
});

test("opens that come at once cannot exceed the number of sessions together", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent, limits: { maxSessions: 2 } });
  const opens = ["a", "b", "c", "d"].map((sessionId) => ctx.open({ sessionId }));
  const outcomes = await Promise.allSettled(opens);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    expect(outcome.reason).toMatchObject({
      code: "sessions_limit",
      details: { limit: "limits.acp.maxSessions", max: 2, actual: 3 },
    });
  }
  await expect.poll(() => agent.running).toBe(2);
  await ctx.open({ sessionId: (await ctx.runtime.listSessions({})).sessions[0]?.sessionId });
});

test("a thousand callers that wait for one turn are none of another's business", async () => {
  let finish = (): void => {};
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "long") {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ sessionId: "long" });
  await ctx.open({ sessionId: "short" });
  const { promptId } = await ctx.submit("long", { sessionId: "long" });
  const signal = new AbortController().signal;
  const waiting = Array.from({ length: 1_000 }, () =>
    ctx.runtime.awaitPrompt({ sessionId: "long", promptId }, 60_000, signal),
  );
  await expect.poll(() => ctx.deps.turnEnds.waiterCount).toBe(1_000);
  await ctx.prompt("short", { sessionId: "short" });
  expect(ctx.deps.turnEnds.waiterCount).toBe(1_000);
  finish();
  const results = await Promise.all(waiting);
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(ctx.deps.turnEnds.waiterCount).toBe(0);
});

test("equal opens that come at once share one start, its failure too; another one has its own", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    failNew: new ScriptedFailure(-32603, "not today"),
  });
  await using ctx = await testRuntime({ agent });
  const equal = Array.from({ length: 10 }, () => ctx.open());
  const other = ctx.open({ permissionPolicy: "ask" });
  const outcomes = await Promise.allSettled([...equal, other]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ reason: { code: "adapter_protocol_error" } });
  }
  expect(agent.launches).toHaveLength(2);
  await expect(ctx.open()).rejects.toMatchObject({ code: "adapter_protocol_error" });
  expect(agent.launches).toHaveLength(3);
});

test("an open that comes behind a delete is for a session of its own", async () => {
  let isHanging = true;
  const agent = scriptedAgent(async () => "end_turn", {
    handle: {
      "session/new": () =>
        isHanging ? new Promise(() => undefined) : { sessionId: "agent-session-2" },
    },
  });
  await using ctx = await testRuntime({ agent });
  const first = ctx.open();
  const failed = expect(first).rejects.toMatchObject({ code: "adapter_spawn_failed" });
  await agent.called("session/new");
  isHanging = false;
  await Promise.all([failed, ctx.runtime.deleteSession("main", OPERATOR), ctx.open()]);
  expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
  expect(agent.running).toBe(1);
});

const hangingResume = () => {
  const state = { isHanging: false };
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { resume: {} } },
    configOptions: [{ id: "x", name: "x", type: "boolean", currentValue: false }],
    handle: {
      "session/resume": () => (state.isHanging ? new Promise(() => undefined) : {}),
    },
    ignoresEndOfInput: true,
  });
  return { agent, state };
};

test("a prompt behind one that was cancelled in its restore has a restore of its own", async () => {
  const { agent, state } = hangingResume();
  await using ctx = await testRuntime({ agent, limits: { stopGraceMs: 50 } });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  state.isHanging = true;
  const first = await ctx.submit("first");
  const second = await ctx.submit("second", { whenBusy: "queue" });
  await agent.called("session/resume");
  expect((await ctx.runtime.getSession("main")).adapter).toBe("starting");
  state.isHanging = false;
  const signal = new AbortController().signal;
  const target = { sessionId: "main", promptId: first.promptId, wait: true };
  await ctx.runtime.cancelPrompt(target, OPERATOR, signal);
  const result = ctx.runtime.promptResult({ sessionId: "main", promptId: second.promptId }, signal);
  expect((await result).stopReason).toBe("end_turn");
  expect(agent.launches).toHaveLength(3);
  expect(ctx.bugs).toEqual([]);
});

test("a start that its only caller gave up is nobody else's", async () => {
  const { agent, state } = hangingResume();
  await using ctx = await testRuntime({ agent, limits: { stopGraceMs: 50 } });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  state.isHanging = true;
  const change = { sessionId: "main", configId: "x", value: true };
  const leaving = new AbortController();
  const left = ctx.runtime.setConfigOption(change, OPERATOR, leaving.signal);
  const failed = expect(left).rejects.toThrow("the caller left");
  await agent.called("session/resume");
  state.isHanging = false;
  leaving.abort(new Error("the caller left"));
  const next = ctx.runtime.setConfigOption(change, OPERATOR, new AbortController().signal);
  expect((await next).options).toMatchObject([{ id: "x", currentValue: true }]);
  await failed;
});

test("a changed option whose restore an unload ends fails with a code", async () => {
  const { agent, state } = hangingResume();
  await using ctx = await testRuntime({ agent, limits: { stopGraceMs: 50 } });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  state.isHanging = true;
  const change = { sessionId: "main", configId: "x", value: true };
  const changing = ctx.runtime.setConfigOption(change, OPERATOR, new AbortController().signal);
  const failed = expect(changing).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { phase: "start", cancelledBy: "sessions.unload" },
  });
  await agent.called("session/resume");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await failed;
});
