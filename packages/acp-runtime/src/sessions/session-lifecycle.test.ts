import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { ScriptedFailure } from "../testing/scripted-failure.ts";
import { OPERATOR } from "../testing/test-runtime.ts";

const echo = () =>
  scriptedAgent(async (turn) => {
    await turn.say(`you said ${turn.text}`);
    return "end_turn";
  });

test("an id is opened once; the same options again are fine, others are a conflict", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent });
  await Promise.all([ctx.open(), ctx.open(), ctx.open({ additionalInstructions: "" })]);
  await ctx.open({ cwd: `${ctx.workspace}/` });
  expect(agent.launches).toHaveLength(1);
  await expect(ctx.open({ permissionPolicy: "ask" })).rejects.toMatchObject({
    code: "session_conflict",
    details: { fields: ["permissionPolicy"] },
  });
});

test("everything is checked before a process starts", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent });
  const outside = path.dirname(ctx.workspace);
  const wayOut = path.join(ctx.workspace, "way-out");
  fs.symlinkSync("/", wayOut);
  const refusals = [
    [{ agent: "nobody" }, "unknown_agent"],
    [{ cwd: "here" }, "invalid_cwd"],
    [{ cwd: outside }, "invalid_cwd"],
    [{ cwd: path.join(wayOut, "usr") }, "invalid_cwd"],
    [{ cwd: path.join(ctx.workspace, "none") }, "cwd_missing"],
    [{ additionalDirectories: ["x"] }, "invalid_cwd"],
    [{ env: { "A=B": "x" } }, "invalid_env"],
    [{ mcpServers: [{ name: "x" }] }, "invalid_mcp_server"],
    [{ sessionId: "a\nb" }, "invalid_session_id"],
  ] as const;
  for (const [input, code] of refusals) {
    const asked = JSON.parse(JSON.stringify(input));
    await expect(ctx.open(asked), code).rejects.toMatchObject({ code });
  }
  const caller = { ...OPERATOR, isAdmin: false };
  const withPath = { sessionId: "main", agent: "scripted", env: { PATH: "/tmp" } };
  await expect(ctx.runtime.openSession(withPath, caller)).rejects.toMatchObject({
    code: "invalid_env",
    details: { field: "env.PATH" },
  });
  expect(agent.launches).toEqual([]);
});

test("a failed start leaves no row and no process and explains itself", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    failNew: new ScriptedFailure(-32000, "log in first"),
  });
  await using ctx = await testRuntime({ agent });
  await expect(ctx.open()).rejects.toMatchObject({
    code: "auth_required",
    details: { phase: "session/new", rpcCode: -32000 },
  });
  await expect(ctx.runtime.getSession("main")).rejects.toMatchObject({ code: "session_not_found" });
  expect(agent.running).toBe(0);
});

test("an agent that exits while it starts is told with its exit code and masked stderr", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    handle: {
      "session/new": (_params, voice) => {
        voice.stderr("cannot use key top-secret-value\n");
        voice.crash({ code: 7 });
        return new Promise(() => undefined);
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await expect(ctx.open({ env: { API_KEY: "top-secret-value" } })).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: {
      phase: "session/new",
      exitCode: 7,
      stderrTail: "cannot use key [redacted:API_KEY]\n",
    },
  });
});

test("an agent that does not answer in time is stopped", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    handle: { initialize: () => new Promise(() => undefined) },
  });
  await using ctx = await testRuntime({ agent, limits: { startTimeoutMs: 30 } });
  await expect(ctx.open()).rejects.toMatchObject({
    code: "adapter_timeout",
    details: { phase: "initialize", limit: "limits.acp.startTimeoutMs", max: 30 },
  });
  expect(agent.running).toBe(0);
});

test("a session is resumed where the agent can, else loaded with its replay kept out", async () => {
  for (const [capabilities, method, mode] of [
    [{ loadSession: true, sessionCapabilities: { resume: {} } }, "session/resume", "resumed"],
    [{ loadSession: true }, "session/load", "loaded"],
  ] as const) {
    const agent = scriptedAgent(
      async (turn) => {
        await turn.say(`you said ${turn.text}`);
        return "end_turn";
      },
      { capabilities },
    );
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    await ctx.prompt("one");
    await ctx.runtime.unloadSession("main", OPERATOR);
    expect((await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
    await ctx.prompt("two");
    expect(agent.callsOf(method)).toHaveLength(1);
    expect(agent.callsOf("session/new")).toHaveLength(1);
    const events = await ctx.events();
    expect(events.map((event) => event.type)).toEqual([
      "user_message_chunk",
      "agent_message_chunk",
      "_signalbox/turn_ended",
      "user_message_chunk",
      "_signalbox/restored",
      "agent_message_chunk",
      "_signalbox/turn_ended",
    ]);
    expect(events[4]).toMatchObject({ mode });
  }
});

test("an agent that has forgotten the session is told what was said, once, and not in history", async () => {
  const heard: string[] = [];
  const agent = scriptedAgent(
    async (turn) => {
      heard.push(turn.text);
      await turn.say(`answer to ${turn.content.length} blocks`);
      return "end_turn";
    },
    {
      capabilities: { loadSession: true },
      failLoad: new ScriptedFailure(-32602, "no such session"),
    },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("remember the number 4711");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("what number?");
  await ctx.prompt("and now?");
  expect(heard[1]).toContain("User: remember the number 4711");
  expect(heard[1]).toContain("Assistant: answer to 1 blocks");
  expect(heard[1]?.endsWith("what number?")).toBe(true);
  expect(heard[2]).toBe("and now?");
  const events = await ctx.events();
  expect(events.find((event) => event.type === "_signalbox/restored")).toMatchObject({
    mode: "continued",
    reason: "session/load: no such session (-32602)",
  });
  const users = events.filter((event) => event.type === "user_message_chunk");
  expect(users.map((event) => event.content)).toEqual([
    { type: "text", text: "remember the number 4711" },
    { type: "text", text: "what number?" },
    { type: "text", text: "and now?" },
  ]);
});

test("options that the session had are set again after a restore; a refusal is an event", async () => {
  const option = (id: string, currentValue: string) => ({
    id,
    name: id,
    type: "select",
    currentValue,
    options: [
      { value: "a", name: "A" },
      { value: "b", name: "B" },
    ],
  });
  let refuses = false;
  const values = new Map([
    ["model", "a"],
    ["mood", "a"],
  ]);
  const collection = () => [...values].map(([id, value]) => option(id, value));
  const agent = scriptedAgent(async () => "end_turn", {
    configOptions: collection(),
    capabilities: { sessionCapabilities: { resume: {} } },
    handle: {
      "session/set_config_option": (params) => {
        if (refuses && params.configId === "mood") throw new ScriptedFailure(-32602, "not today");
        values.set(String(params.configId), String(params.value));
        return { configOptions: collection() };
      },
      "session/resume": () => {
        for (const id of values.keys()) values.set(id, "a");
        return { configOptions: collection() };
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const set = (configId: string) =>
    ctx.runtime.setConfigOption(
      { sessionId: "main", configId, value: "b" },
      OPERATOR,
      new AbortController().signal,
    );
  await set("model");
  expect((await set("mood")).options).toMatchObject([{ currentValue: "b" }, { currentValue: "b" }]);
  await ctx.runtime.unloadSession("main", OPERATOR);
  refuses = true;
  await ctx.prompt("go");
  const again = agent.callsOf("session/set_config_option").filter((call) => call.launch === 1);
  expect(again.map((call) => call.params.configId)).toEqual(["model", "mood"]);
  const refused = (await ctx.events()).find((event) => event.type === "_signalbox/config_refused");
  expect(refused).toMatchObject({ configId: "mood", value: "b" });
});

test("an idle adapter makes room for another session and comes back when it is needed", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent, limits: { maxLiveAdapters: 1 } });
  await ctx.open({ sessionId: "one" });
  await ctx.open({ sessionId: "two" });
  expect((await ctx.runtime.getSession("one")).adapter).toBe("unloaded");
  expect(agent.running).toBe(1);
  await ctx.prompt("hi", { sessionId: "one" });
  expect((await ctx.runtime.getSession("two")).adapter).toBe("unloaded");
});

test("with every adapter busy a start is refused", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent, limits: { maxLiveAdapters: 1 } });
  await ctx.open({ sessionId: "one" });
  await ctx.submit("stay", { sessionId: "one" });
  await agent.called("session/prompt");
  await expect(ctx.open({ sessionId: "two" })).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxLiveAdapters", max: 1 },
  });
});

test("an idle session is unloaded by itself and restored by its next prompt", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent, limits: { idleUnloadMs: 20 } });
  await ctx.open();
  await expect.poll(async () => (await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
  expect((await ctx.prompt("back")).stopReason).toBe("end_turn");
});

test("an adapter that dies idle is noticed at once and restored by the next use", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  agent.voice(agent.sessionIds[0] ?? "").crash({ code: 0 });
  await expect.poll(() => ctx.types()).toEqual(["_signalbox/adapter_exited"]);
  expect((await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
  await ctx.open();
  expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
});

test("a deleted id counts on from where it was when it is opened again", async () => {
  const agent = echo();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  const before = (await ctx.events()).at(-1)?.sequence ?? 0;
  await ctx.runtime.deleteSession("main", OPERATOR);
  await ctx.runtime.deleteSession("main", OPERATOR);
  await expect(ctx.runtime.getSession("main")).rejects.toMatchObject({ code: "session_not_found" });
  await ctx.open();
  await ctx.prompt("two");
  const events = await ctx.events();
  expect(events[0]?.sequence).toBe(before + 1);
  const expired = ctx.runtime.history({ sessionId: "main", after: 1 });
  await expect(expired).rejects.toMatchObject({ code: "history_cursor_expired" });
});

test("environment values reach the agent and no read shows them", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("my key is very-secret-key");
    await turn.update({
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "use very-secret-key",
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: "very-secret-key" } });
  await ctx.prompt("go");
  expect(agent.launches[0]?.env).toMatchObject({ API_KEY: "very-secret-key" });
  const everything = JSON.stringify([await ctx.events(), await ctx.runtime.getSession("main")]);
  expect(everything).not.toContain("very-secret-key");
  expect(everything).toContain("[redacted:API_KEY]");
  const file = fs.readFileSync(path.join(path.dirname(ctx.workspace), "signalbox.db"));
  expect(file.includes("very-secret-key")).toBe(false);
});

test("the operator's and the session's instructions lead the first prompt and are not stored", async () => {
  const heard: string[] = [];
  const agent = scriptedAgent(async (turn) => {
    heard.push(turn.text);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, instructions: "Be kind." });
  await ctx.open({ additionalInstructions: "Be brief." });
  await ctx.prompt("hi");
  await ctx.prompt("again");
  expect(heard[0]).toContain("Be kind.\n\nBe brief.");
  expect(heard[1]).toBe("again");
  expect(JSON.stringify(await ctx.events())).not.toContain("Be kind.");
});
