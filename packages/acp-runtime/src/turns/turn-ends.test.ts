/** The end of a turn: what is committed with it, and what it tells of the prompt's delivery. */
import { expect, test } from "vitest";
import {
  ScriptedFailure,
  type ScriptedTurn,
  scriptedAgent,
  testRuntime,
} from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const pending = async (ctx: TestRuntime) =>
  (await ctx.runtime.pendingPermissions({})).requests.length;

async function turnEnded(ctx: TestRuntime) {
  return (await ctx.events()).findLast(({ type }) => type === "_signalbox/turn_ended");
}

const toolCall = (toolCallId: string, status?: string) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: toolCallId,
  ...(status === undefined ? {} : { status }),
});

test("an end names the tool calls whose last status is neither completed nor failed", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (const id of ["done", "failed", "open", "silent"]) await turn.update(toolCall(id));
    const updates = [
      { toolCallId: "done", status: "in_progress" },
      { toolCallId: "done", status: "completed" },
      { toolCallId: "failed", status: "failed" },
      { toolCallId: "open", status: "in_progress" },
      { toolCallId: "done", title: "a new title" },
      { toolCallId: "never announced", status: "in_progress" },
    ];
    for (const update of updates) {
      await turn.update({ sessionUpdate: "tool_call_update", ...update });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  expect((await turnEnded(ctx))?.openToolCalls).toEqual(["open", "silent", "never announced"]);
});

test("the end of a turn, of its requests and its last event are there together or not at all", async () => {
  const agent = scriptedAgent(async (turn) => {
    void turn.askPermission({ title: "may I" }).catch(() => undefined);
    await expect.poll(() => pending(ctx)).toBe(1);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  let hasEnded = false;
  while (!hasEnded) {
    const seen = await ctx.deps.db.read((sqlite) => {
      const one = (sql: string) => sqlite.prepare(sql).pluck().get();
      return {
        row: one("SELECT endedAt IS NOT NULL FROM Prompt") === 1,
        event: one("SELECT count(*) FROM Event WHERE type = '_signalbox/turn_ended'") === 1,
        requests: one("SELECT count(*) FROM Permission WHERE state = 'ended'") === 1,
        response: one("SELECT count(*) FROM Event WHERE type = 'permission_response'") === 1,
      };
    });
    expect(new Set(Object.values(seen)).size, JSON.stringify(seen)).toBe(1);
    hasEnded = seen.row;
    await new Promise(setImmediate);
  }
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
});

const RESUMABLE = { sessionCapabilities: { resume: {} } };
const failing = (code: number, message: string) => () => {
  throw new ScriptedFailure(code, message);
};

test.each([
  [
    "adapter_spawn_failed",
    {
      initialize: (_params: object, voice: { crash: (exit: { code: number }) => void }) => {
        voice.crash({ code: 4 });
        return new Promise<null>(() => undefined);
      },
    },
    { exitCode: 4, phase: "initialize" },
  ],
  ["auth_required", { initialize: failing(-32000, "log in") }, { rpcCode: -32000 }],
  ["adapter_protocol_error", { initialize: failing(-32603, "no") }, { rpcMessage: "no" }],
  ["adapter_timeout", { initialize: () => new Promise<null>(() => undefined) }, { max: 60 }],
  [
    "restore_failed",
    { "session/resume": failing(-32603, "a"), "session/new": failing(-32603, "b") },
    { rpcMessage: "b" },
  ],
])(
  "a turn that fails before it was sent says %s and delivery never",
  async (code, handle, more) => {
    const state = { isBroken: false };
    const handlers = Object.entries(handle).map(([method, handler]) => [
      method,
      (...args: Parameters<typeof handler>) => {
        if (state.isBroken) return Reflect.apply(handler, null, args);
        return method === "initialize"
          ? { protocolVersion: 1, agentCapabilities: RESUMABLE }
          : { sessionId: "agent-session-1" };
      },
    ]);
    const agent = scriptedAgent(async () => "end_turn", {
      capabilities: RESUMABLE,
      handle: Object.fromEntries(handlers),
    });
    await using ctx = await testRuntime({ agent, limits: { startTimeoutMs: 60 } });
    await ctx.open();
    await ctx.runtime.unloadSession("main", OPERATOR);
    state.isBroken = true;
    const failure = ctx.prompt("go");
    await expect(failure).rejects.toMatchObject({ code, details: { delivery: "never", ...more } });
    expect(agent.callsOf("session/prompt")).toEqual([]);
    expect(await turnEnded(ctx)).toMatchObject({ error: { code, details: { delivery: "never" } } });
    expect(agent.running).toBe(0);
  },
);

test.each([
  ["adapter_exited", async (turn: ScriptedTurn) => turn.crash({ code: 9 }), { exitCode: 9 }],
  ["prompt_failed", failing(-32603, "no credit"), { rpcMessage: "no credit" }],
  ["invalid_stop_reason", async () => "because", { stopReason: "because" }],
])(
  "a turn that fails after it was sent says %s and delivery uncertain",
  async (code, end, more) => {
    const agent = scriptedAgent(async (turn) => {
      await turn.say("half");
      await turn.update(toolCall("open", "in_progress"));
      const reason = await end(turn);
      return typeof reason === "string" ? reason : "end_turn";
    });
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    const details = { delivery: "uncertain", ...more };
    await expect(ctx.prompt("go")).rejects.toMatchObject({ code, details });
    expect(await turnEnded(ctx)).toMatchObject({
      error: { code, details, message: expect.any(String), retryable: false },
      openToolCalls: ["open"],
    });
    expect(await turnEnded(ctx)).not.toHaveProperty("stopReason");
  },
);

test("a session that failed says so until the next acceptance, and over a kill", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "fail") throw new ScriptedFailure(-32603, "no credit");
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const failure = ctx.prompt("fail");
  await expect(failure).rejects.toMatchObject({ code: "prompt_failed" });
  const { state } = await ctx.runtime.getSession("main");
  expect(state).toMatchObject({
    status: "failed",
    error: { code: "prompt_failed", details: { rpcMessage: "no credit" }, retryable: false },
  });
  await ctx.runtime.unloadSession("main", OPERATOR);
  await using after = await ctx.afterCrash();
  expect((await after.runtime.getSession("main")).state).toEqual(state);
  const { promptId } = await after.submit("stay");
  expect((await after.runtime.getSession("main")).state).toMatchObject({
    status: "running",
    promptId,
  });
});

test("a stop of the server lets a turn end within its grace", async () => {
  let finish = (): void => {};
  const agent = scriptedAgent(async (turn) => {
    await turn.say("begun");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("soon");
  await agent.called("session/prompt");
  const closing = ctx.runtime.close({ graceMs: 600_000 });
  await expect(ctx.submit("late")).rejects.toMatchObject({ code: "server_draining" });
  finish();
  await closing;
  const soon = ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect((await soon).stopReason).toBe("end_turn");
  expect(agent.running).toBe(0);
});

test("nothing of a prompt reaches the agent before its acceptance and its dispatch mark are committed", async () => {
  const states: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    states.push(
      await ctx.deps.db.read((sqlite) =>
        sqlite
          .prepare(
            `SELECT state, (SELECT count(*) FROM Event WHERE type = 'user_message_chunk') AS said
             FROM Prompt ORDER BY promptId DESC LIMIT 1`,
          )
          .get(),
      ),
    );
    await turn.say("ok");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const blocks = ["one", "two"].map((text) => ({ type: "text", text }));
  const { sequence, promptId } = await ctx.submit("", { content: blocks });
  const accepted = (await ctx.events()).filter((event) => event.sequence <= sequence);
  expect(accepted.map(({ content }) => content)).toEqual(blocks);
  expect(new Set(accepted.map(({ messageId }) => messageId)).size).toBe(1);
  expect(new Set(accepted.map((event) => event.promptId))).toEqual(new Set([promptId]));
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(states).toEqual([{ state: "dispatched", said: 2 }]);
  expect(agent.callsOf("session/prompt")).toHaveLength(1);
});
