/** What is asked of an adapter that is on its way out, and what it asks. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import type { ScriptedVoice } from "../testing/scripted-agent.ts";
import { ScriptedFailure } from "../testing/scripted-failure.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const RESUMABLE = { capabilities: { sessionCapabilities: { resume: {} } } };
const NEVER = new AbortController().signal;

const resultOf = (ctx: TestRuntime, promptId: string, sessionId = "main") =>
  ctx.runtime.promptResult({ sessionId, promptId }, NEVER);

const cancel = (ctx: TestRuntime, promptId: string) =>
  ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);

test("the next prompt after an agent was killed by a cancel runs on a restored one", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "stay") await new Promise(() => undefined);
    await turn.say(turn.text);
    return "end_turn";
  }, RESUMABLE);
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 20 } });
  await ctx.open();
  const first = await ctx.submit("stay");
  const second = await ctx.submit("go on", { whenBusy: "queue" });
  await agent.called("session/prompt");
  await cancel(ctx, first.promptId);
  const result = await resultOf(ctx, second.promptId);
  expect(result).toMatchObject({
    stopReason: "end_turn",
    message: { content: [{ text: "go on" }] },
  });
  expect(await ctx.types()).toContain("_signalbox/restored");
});

test("a prompt that comes while its idle adapter is stopped waits for the next one", async () => {
  const agent = scriptedAgent(async () => "end_turn", { ignoresEndOfInput: true });
  await using ctx = await testRuntime({
    agent,
    limits: { stopGraceMs: 500, idleUnloadMs: 5 },
  });
  await ctx.open();
  await expect
    .poll(async () => (await ctx.runtime.getSession("main")).adapter, { interval: 1 })
    .toBe("unloaded");
  expect(agent.running).toBe(1);
  expect((await ctx.prompt("hello")).stopReason).toBe("end_turn");
  expect(agent.launches).toHaveLength(2);
});

test("a prompt queued while an unload ends the turn is ended with it, and the next one runs", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text !== "first") return "end_turn";
    await turn.untilCancelled();
    queued = await ctx.submit("queued", { whenBusy: "queue" });
    return "cancelled";
  });
  let queued: { promptId: string } | undefined;
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("first");
  await agent.called("session/prompt");
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await resultOf(ctx, queued?.promptId ?? "")).stopReason).toBe("cancelled");
  expect((await ctx.prompt("next")).stopReason).toBe("end_turn");
});

test("what a turn asks after its cancel is answered at once, whatever the policy", async () => {
  for (const permissionPolicy of ["ask", "allow_all"] as const) {
    let answer: string | undefined = "none";
    const agent = scriptedAgent(async (turn) => {
      await turn.untilCancelled();
      answer = await turn.askPermission({ title: "rm -rf build" });
      return "cancelled";
    });
    await using ctx = await testRuntime({ agent });
    await ctx.open({ permissionPolicy });
    const { promptId } = await ctx.submit("go");
    await agent.called("session/prompt");
    await cancel(ctx, promptId);
    expect(answer).toBeUndefined();
    expect(await ctx.types()).not.toContain("permission_request");
  }
});

test("a request outside a turn ends with the adapter that we stopped", async () => {
  const agent = scriptedAgent(() => new Promise<undefined>(() => undefined));
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 20 } });
  await ctx.open({ permissionPolicy: "ask" });
  const asked = agent
    .voice(agent.sessionIds[0] ?? "")
    .askPermission({ title: "in the background" });
  asked.catch(() => undefined);
  await expect.poll(async () => (await ctx.runtime.pendingPermissions({})).requests.length).toBe(1);
  const [request] = (await ctx.runtime.pendingPermissions({})).requests;
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  await cancel(ctx, promptId);
  await expect.poll(async () => (await ctx.runtime.pendingPermissions({})).requests.length).toBe(0);
  const answer = { sessionId: "main", requestId: request?.requestId ?? "", optionId: "allow" };
  expect(await ctx.runtime.respondToPermission(answer, OPERATOR)).toMatchObject({
    status: "not_pending",
    reason: "session_unloaded",
  });
});

test.each(["unloadSession", "close"] as const)(
  "what was said outside a turn just before %s is kept",
  async (end) => {
    const agent = scriptedAgent(async () => "end_turn");
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    const voice = agent.voice(String(agent.sessionIds[0]));
    const stop = new AbortController();
    const heard = new Promise<void>((resolve) => {
      const from = { sessionId: "main", after: 0, lastEventId: null };
      const follow = async () => {
        for await (const _item of ctx.runtime.followSession(from, stop.signal)) resolve();
      };
      void follow();
    });
    await voice.say("By the way");
    await heard;
    if (end === "close") await ctx.runtime.close({ graceMs: 0 });
    else await ctx.runtime.unloadSession("main", OPERATOR);
    stop.abort();
    await ctx.deps.db.write(() => undefined);
    expect(await ctx.events()).toMatchObject([
      {
        type: "agent_message_chunk",
        promptId: null,
        content: { text: "By the way" },
      },
    ]);
  },
);

test("the adapter's own session id stays its own, in reasons and in open tool calls too", async () => {
  const own = "private-agent-session-0001";
  const agent = scriptedAgent(
    async (turn) => {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${own}-1`, title: "t" });
      return "end_turn";
    },
    {
      capabilities: { loadSession: true },
      handle: { "session/new": () => ({ sessionId: own }) },
      failLoad: new ScriptedFailure(-32002, `no session ${own}`),
    },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("go");
  const events = await ctx.events();
  expect(JSON.stringify(events)).not.toContain(own);
  expect(events.at(-1)?.openToolCalls).toEqual([
    events.find((e) => e.type === "tool_call")?.toolCallId,
  ]);
});

test("an update behind the answer to a changed option is the one that stays", async () => {
  const options = (currentValue: string) => [
    { id: "model", name: "m", type: "select", currentValue },
  ];
  const agent = scriptedAgent(async () => "end_turn", {
    configOptions: options("a"),
    handle: {
      "session/set_config_option": (_params, voice: ScriptedVoice) => {
        const newer = { sessionUpdate: "config_option_update", configOptions: options("newer") };
        setImmediate(() => void voice.update(newer));
        return { configOptions: options("b") };
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const change = { sessionId: "main", configId: "model", value: "b" };
  await ctx.runtime.setConfigOption(change, OPERATOR, NEVER);
  await expect
    .poll(async () => (await ctx.runtime.sessionConfig("main")).options)
    .toMatchObject([{ currentValue: "newer" }]);
});

test("fleet watchers see a new session come alive", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "end_turn") });
  const ends = new AbortController();
  const watched = (async () => {
    for await (const { event } of ctx.runtime.followFleet({ lastEventId: null }, ends.signal)) {
      if (event.type === "session_changed" && event.session.adapter === "live") ends.abort();
    }
  })();
  await ctx.open();
  await watched;
  expect(ends.signal.aborted).toBe(true);
});

test("session/close is asked where it is offered; a refusal or silence of it ends the adapter all the same", async () => {
  const close = { sessionCapabilities: { close: {} } };
  const refuse = () => {
    throw new ScriptedFailure(-32603, "not now");
  };
  for (const [options, asked] of [
    [{ capabilities: close }, 1],
    [{ capabilities: {} }, 0],
    [{ capabilities: close, handle: { "session/close": refuse } }, 1],
    [{ capabilities: close, handle: { "session/close": () => new Promise<null>(() => {}) } }, 1],
  ] as const) {
    const agent = scriptedAgent(async () => "end_turn", options);
    await using ctx = await testRuntime({ agent, limits: { stopGraceMs: 50 } });
    await ctx.open();
    await ctx.runtime.unloadSession("main", OPERATOR);
    expect(agent.callsOf("session/close").map(({ params }) => params.sessionId)).toEqual(
      agent.sessionIds.slice(0, asked),
    );
    expect(agent.running).toBe(0);
    expect(ctx.bugs).toEqual([]);
  }
});
