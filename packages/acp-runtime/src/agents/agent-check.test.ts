/** What an agent is asked without a session of ours, and sessions of its own that are taken over. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { countMarked, scriptedAgent, testRuntime } from "../testing/index.ts";
import { ScriptedFailure } from "../testing/scripted-failure.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const names = (report: { steps: { name: string; ok: boolean }[] }) =>
  report.steps.map(({ name, ok }) => `${name} ${ok ? "ok" : "failed"}`);

test("a check starts the agent, tries a session in a folder of its own, and leaves nothing", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    initialize: { authMethods: [{ id: "key", name: "API key" }] },
  });
  await using ctx = await testRuntime({ agent });
  const report = await ctx.runtime.checkAgent("scripted", OPERATOR);
  expect(names(report)).toEqual(["spawn ok", "initialize ok", "session/new ok", "stop ok"]);
  expect(report).toMatchObject({
    agent: "scripted",
    ok: true,
    protocolVersion: 1,
    capabilities: {},
    authMethods: [{ id: "key", name: "API key" }],
    agentInfo: { name: "scripted", version: "1.0.0" },
    deviations: [],
    stderrTail: "",
  });
  for (const { durationMs } of report.steps) expect(durationMs).toBeGreaterThanOrEqual(0);
  const { cwd } = agent.callsOf("session/new")[0]?.params ?? {};
  expect(String(cwd)).toContain("signalbox-check-");
  expect(fs.existsSync(String(cwd))).toBe(false);
  expect(agent.running).toBe(0);
  expect(ctx.deps.adapters.count).toBe(0);
  expect((await ctx.runtime.listSessions({})).sessions).toEqual([]);
});

test("what an agent does otherwise than the protocol says is told", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    ignoresEndOfInput: true,
    onNew: async (voice) => {
      await voice.line("Welcome!");
      await voice.say("early");
    },
  });
  await using ctx = await testRuntime({ agent, limits: { stopGraceMs: 100 } });
  const { ok, deviations } = await ctx.runtime.checkAgent("scripted", OPERATOR);
  expect(ok).toBe(true);
  expect(deviations).toEqual([
    expect.stringContaining("before session/new was answered"),
    expect.stringContaining("1 line(s) on its standard output"),
    expect.stringContaining("end of its input"),
  ]);
});

test("what comes together with the answer to session/new is no deviation", async () => {
  const answer = { jsonrpc: "2.0", id: 2, result: { sessionId: "own" } };
  const update = { sessionUpdate: "available_commands_update", availableCommands: [] };
  const params = { sessionId: "own", update };
  const told = { jsonrpc: "2.0", method: "session/update", params };
  const agent = scriptedAgent(async () => "end_turn", {
    handle: {
      "session/new": async (_params, voice) => {
        await voice.line(`${JSON.stringify(answer)}\n${JSON.stringify(told)}`);
        return new Promise<never>(() => undefined);
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  const { ok, deviations } = await ctx.runtime.checkAgent("scripted", OPERATOR);
  expect({ ok, deviations }).toEqual({ ok: true, deviations: [] });
});

test("an agent that wants a login fails at its session, with what the operator can do", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    initialize: {
      authMethods: [
        { id: "key", name: "API key" },
        { id: "tty", name: "Browser login", type: "terminal" },
      ],
    },
    failNew: new ScriptedFailure(-32000, "log in first"),
  });
  await using ctx = await testRuntime({ agent });
  const report = await ctx.runtime.checkAgent("scripted", OPERATOR);
  expect(names(report)).toEqual(["spawn ok", "initialize ok", "session/new failed", "stop ok"]);
  expect(report.ok).toBe(false);
  expect(report.steps[2]?.error).toMatchObject({ appCode: "auth_required", httpStatus: 422 });
  expect(report.advice.join("\n")).toMatch(/methodId key[\s\S]*in a terminal/);
});

test("an agent of another protocol fails at initialize, one that is not there at spawn", async () => {
  const other = scriptedAgent(async () => "end_turn", { initialize: { protocolVersion: 7 } });
  await using ctx = await testRuntime({ agent: other });
  const report = await ctx.runtime.checkAgent("scripted", OPERATOR);
  expect(names(report)).toEqual(["spawn ok", "initialize failed"]);
  expect(report.steps[1]?.error).toMatchObject({
    appCode: "adapter_incompatible",
    details: { offered: 1, answered: 7 },
  });
  await expect(ctx.runtime.checkAgent("nobody", OPERATOR)).rejects.toMatchObject({
    code: "unknown_agent",
  });
});

test("twenty checks, half of them of an agent that dies at once, leave no process", async () => {
  await using good = await testRuntime({ agent: ["talk", "1"] });
  await using bad = await testRuntime({ agent: ["exit-on-start"] });
  for (let n = 0; n < 10; n += 1) {
    expect((await good.runtime.checkAgent("scripted", OPERATOR)).ok).toBe(true);
    const report = await bad.runtime.checkAgent("scripted", OPERATOR);
    expect(names(report)).toEqual(["spawn ok", "initialize failed"]);
    expect(report.stderrTail).toContain("no licence found");
  }
  for (const ctx of [good, bad]) {
    expect(await countMarked((mark) => mark.startsWith(`${ctx.deps.markPrefix}.`))).toBe(0);
  }
});

test("an agent's own sessions of a folder are listed, odd rows left out", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { list: {} } },
    handle: {
      "session/list": () => ({
        sessions: [
          { sessionId: "a", cwd: ctx.workspace, title: "First", updatedAt: "2026-01-02T03:04:05Z" },
          null,
          { sessionId: "b", cwd: "/elsewhere" },
          { sessionId: "c", cwd: path.join(ctx.workspace, "."), title: 5, updatedAt: "soon" },
          { cwd: ctx.workspace },
        ],
        nextCursor: "more",
      }),
    },
  });
  await using ctx = await testRuntime({ agent });
  const page = await ctx.runtime.listAgentSessions({ agent: "scripted", cwd: ctx.workspace });
  expect(page).toEqual({
    sessions: [
      {
        agentSessionId: "a",
        cwd: ctx.workspace,
        title: "First",
        updatedAt: "2026-01-02T03:04:05.000Z",
      },
      { agentSessionId: "c", cwd: ctx.workspace, title: null, updatedAt: null },
    ],
    nextCursor: "more",
  });
  await ctx.runtime.listAgentSessions({ agent: "scripted", cwd: ctx.workspace, cursor: "more" });
  expect(agent.callsOf("session/list")[1]?.params).toEqual({ cursor: "more" });
  await expect(
    ctx.runtime.listAgentSessions({ agent: "scripted", cwd: "/etc" }),
  ).rejects.toMatchObject({ code: "invalid_cwd" });
});

test("an agent that lists no sessions is incompatible with the question", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "end_turn") });
  await expect(
    ctx.runtime.listAgentSessions({ agent: "scripted", cwd: ctx.workspace }),
  ).rejects.toMatchObject({ code: "adapter_incompatible" });
});

test("an agent logs in by a method of its own; another one is named as unknown", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    initialize: { authMethods: [{ id: "key" }, { id: "tty", type: "terminal" }] },
  });
  await using ctx = await testRuntime({ agent });
  const login = (methodId: string) =>
    ctx.runtime.authenticateAgent({ agent: "scripted", methodId }, OPERATOR);
  await login("key");
  expect(agent.callsOf("authenticate")[0]?.params).toEqual({ methodId: "key" });
  for (const methodId of ["nobody", "tty"]) {
    await expect(login(methodId)).rejects.toMatchObject({
      code: "bad_request",
      details: { field: "methodId", known: ["key", "tty"] },
    });
  }
  const refusing = scriptedAgent(async () => "end_turn", {
    initialize: { authMethods: [{ id: "key" }] },
    handle: {
      authenticate: () => {
        throw new ScriptedFailure(-32603, "wrong key");
      },
    },
  });
  await using other = await testRuntime({ agent: refusing });
  await expect(
    other.runtime.authenticateAgent({ agent: "scripted", methodId: "key" }, OPERATOR),
  ).rejects.toMatchObject({ code: "auth_required", details: { rpcMessage: "wrong key" } });
});

const TRANSCRIPT = [
  { sessionUpdate: "user_message_chunk", content: { type: "text", text: "fix " }, messageId: "u" },
  { sessionUpdate: "user_message_chunk", content: { type: "text", text: "it" }, messageId: "u" },
  { sessionUpdate: "tool_call", toolCallId: "t", title: "Reading", status: "completed" },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "fixed" } },
  { sessionUpdate: "session_info_update", title: "The fix" },
];

async function adoptable(capabilities = { loadSession: true }) {
  const stored = { sessionId: "own-1", cwd: "/somewhere", transcript: TRANSCRIPT };
  const agent = scriptedAgent(
    async (turn) => {
      await turn.say("going on");
      return "end_turn";
    },
    { capabilities, stored: [stored] },
  );
  return { agent, ctx: await testRuntime({ agent }) };
}

const adopt = (ctx: TestRuntime, sessionId = "main", agentSessionId = "own-1") =>
  ctx.open({ sessionId, adopt: { agentSessionId } });

test("a session of the agent's own is taken over, its transcript imported once and marked", async () => {
  const { agent, ctx: owned } = await adoptable();
  await using ctx = owned;
  await adopt(ctx);
  await adopt(ctx);
  const events = await ctx.events();
  expect(events.map(({ type }) => type)).toEqual([
    "user_message_chunk",
    "tool_call",
    "agent_message_chunk",
    "session_info_update",
  ]);
  for (const event of events) {
    expect(event).toMatchObject({ promptId: null, _meta: { "signalbox/imported": true } });
  }
  expect(events[0]).toMatchObject({ content: { text: "fix it" }, messageId: "u" });
  const info = await ctx.runtime.getSession("main");
  expect(info).toMatchObject({ title: "The fix", latestSequence: 4 });
  expect((await ctx.prompt("more")).stopReason).toBe("end_turn");
  expect(agent.callsOf("session/prompt")[0]?.params.sessionId).toBe("own-1");
  expect(agent.callsOf("session/new")).toEqual([]);
  expect(agent.callsOf("session/load")).toHaveLength(1);
  expect(JSON.stringify(await ctx.events())).not.toContain("own-1");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("again");
  expect((await ctx.types()).filter((type) => type === "tool_call")).toHaveLength(1);
});

test("a session of the agent's own belongs to one session here", async () => {
  const { ctx: owned } = await adoptable();
  await using ctx = owned;
  await adopt(ctx);
  await expect(adopt(ctx, "other")).rejects.toMatchObject({
    code: "adopt_failed",
    details: { agentSessionId: "own-1" },
  });
  await expect(ctx.open()).rejects.toMatchObject({
    code: "session_conflict",
    details: { fields: ["adopt"] },
  });
  await expect(ctx.runtime.getSession("other")).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("adopting fails without a trace when the agent cannot load, or has no such session", async () => {
  const { agent, ctx: owned } = await adoptable();
  await using ctx = owned;
  await expect(adopt(ctx, "main", "own-2")).rejects.toMatchObject({
    code: "adopt_failed",
    details: { rpcCode: -32002 },
  });
  expect(agent.running).toBe(0);
  const { agent: other, ctx: unable } = await adoptable({ loadSession: false });
  await using second = unable;
  await expect(adopt(second)).rejects.toMatchObject({ code: "adopt_failed" });
  expect(other.running).toBe(0);
  for (const each of [ctx, second]) {
    expect((await each.runtime.listSessions({})).sessions).toEqual([]);
  }
});

test("of a transcript beyond the limits of history the newest is imported", async () => {
  const transcript = Array.from({ length: 3_000 }, (_, n) => ({
    sessionUpdate: "tool_call",
    toolCallId: `t${n}`,
    title: "x".repeat(100),
  }));
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { loadSession: true },
    stored: [{ sessionId: "own-1", cwd: "/somewhere", transcript }],
  });
  for (const limits of [{ maxSessionHistoryEvents: 5 }, { maxSessionHistoryBytes: 2_000 }]) {
    await using ctx = await testRuntime({ agent, limits });
    await adopt(ctx);
    const events = await ctx.events();
    expect(events.at(-1)).toMatchObject({ toolCallId: "t2999" });
    expect(events[0]?.sequence).toBe(1);
    expect(events.length).toBeGreaterThan(1);
    expect(events.length).toBeLessThan(20);
  }
});

test("a message without end in a transcript fails the adoption, naming the limit", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { loadSession: true },
    stored: [{ sessionId: "own-1", cwd: "/somewhere" }],
    onLoad: async (replay) => {
      for (let n = 0; n < 50; n += 1) await replay.say("x".repeat(1_000), "m");
    },
  });
  await using ctx = await testRuntime({ agent, limits: { maxMessageBytes: 10_000 } });
  await expect(adopt(ctx)).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxMessageBytes", max: 10_000 },
  });
  expect(agent.running).toBe(0);
  expect((await ctx.runtime.listSessions({})).sessions).toEqual([]);
});
