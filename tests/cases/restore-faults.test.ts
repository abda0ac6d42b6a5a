/** Faults that hosts of agents had with adapters that end and sessions that come back. */

import fs from "node:fs";
import path from "node:path";
import {
  OPERATOR,
  ScriptedFailure,
  type ScriptedTurn,
  scriptedAgent,
  testRuntime,
} from "@signalbox/acp-runtime/testing";
import { expect, test } from "vitest";
import { ofType, resultOf } from "./stage.ts";

const BOTH_TIERS = { loadSession: true, sessionCapabilities: { resume: {} } };

const answering = async (turn: ScriptedTurn) => {
  await turn.say("answer");
  return "end_turn";
};

test("an id that the agent has forgotten is replaced once, and the next prompt does not try it again", async () => {
  const agent = scriptedAgent(answering, {
    capabilities: BOTH_TIERS,
    failResume: new ScriptedFailure(-32002, "Unknown sessionId"),
    failLoad: new ScriptedFailure(-32602, "Unknown sessionId"),
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("remember");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("second");
  await ctx.prompt("third");
  expect(agent.callsOf("session/resume")).toHaveLength(1);
  expect(agent.callsOf("session/load")).toHaveLength(1);
  expect(agent.callsOf("session/new")).toHaveLength(2);
  const [restored, ...more] = await ofType(ctx, "_signalbox/restored");
  expect(restored).toMatchObject({ mode: "continued" });
  expect(String(restored?.reason)).toMatch(/session\/resume.*-32002.*session\/load.*-32602/s);
  expect(more).toEqual([]);
  const prompts = agent.callsOf("session/prompt").map(({ params }) => JSON.stringify(params));
  expect(prompts[1]).toContain("remember");
  expect(prompts[2]).not.toContain("remember");
});

test("a session whose every tier fails is tried once for each prompt, with the agent's own error", async () => {
  let isBroken = false;
  const refusal = () => {
    throw new ScriptedFailure(-32603, "disk of the agent is full");
  };
  const agent = scriptedAgent(answering, {
    capabilities: BOTH_TIERS,
    handle: {
      "session/resume": refusal,
      "session/load": refusal,
      "session/new": () => (isBroken ? refusal() : { sessionId: "agent-session-1" }),
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  isBroken = true;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const { promptId } = await ctx.submit("go");
    await expect(resultOf(ctx, promptId)).rejects.toMatchObject({
      code: "restore_failed",
      details: { rpcMessage: "disk of the agent is full", delivery: "never" },
    });
    expect(agent.launches).toHaveLength(1 + attempt);
    expect(agent.callsOf("session/resume")).toHaveLength(attempt);
  }
  isBroken = false;
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
});

test("an agent that exits with 0 after each turn is unloaded, and the next prompt remembers", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      setImmediate(() => turn.crash({ code: 0 }));
      return "end_turn";
    },
    { capabilities: BOTH_TIERS },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (let turn = 1; turn <= 3; turn += 1) {
    await ctx.prompt("go");
    await expect.poll(async () => (await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
    expect(await ofType(ctx, "_signalbox/adapter_exited")).toHaveLength(turn);
  }
  const restored = await ofType(ctx, "_signalbox/restored");
  expect(restored.map(({ mode }) => mode)).toEqual(["resumed", "resumed"]);
});

test.each([{ code: 0 }, { code: 1 }, { code: null, signal: "SIGKILL" as const }])(
  "an adapter that ends idle with %o harms neither its session nor another of the same agent",
  async (exit) => {
    const agent = scriptedAgent(answering, { capabilities: BOTH_TIERS });
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    agent.voice(String(agent.sessionIds[0])).crash(exit);
    await expect.poll(async () => (await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
    expect(await ofType(ctx, "_signalbox/adapter_exited")).toMatchObject([
      { exitCode: exit.code, signal: exit.signal ?? null, restart: "not_attempted" },
    ]);
    await ctx.open({ sessionId: "other" });
    expect((await ctx.prompt("go", { sessionId: "other" })).stopReason).toBe("end_turn");
    expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  },
);

test("every start gets the servers, folders, environment and arguments that the session was opened with", async () => {
  const agent = scriptedAgent(answering, {
    capabilities: {
      sessionCapabilities: { resume: {}, additionalDirectories: {} },
      mcpCapabilities: { http: true },
    },
  });
  await using ctx = await testRuntime({ agent });
  const shared = path.join(ctx.workspace, "shared");
  fs.mkdirSync(shared);
  const mcpServers = [
    { name: "files", command: "/bin/files", args: ["-v"], env: [{ name: "A", value: "1" }] },
    { type: "http" as const, name: "web", url: "http://127.0.0.1:1/", headers: [] },
  ];
  await ctx.open({
    mcpServers,
    additionalDirectories: [shared],
    env: { PROJECT_KEY: "k-1234567" },
  });
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("go");
  await using restarted = await ctx.afterCrash();
  await restarted.prompt("go");
  const starts = [...agent.callsOf("session/new"), ...agent.callsOf("session/resume")];
  expect(starts).toHaveLength(3);
  for (const { params } of starts) {
    const { sessionId: _, ...rest } = params;
    expect(rest).toEqual({ cwd: ctx.workspace, mcpServers, additionalDirectories: [shared] });
  }
  for (const launch of agent.launches) expect(launch.env.PROJECT_KEY).toBe("k-1234567");
});

test("each session keeps the folder it was opened with, one behind a symlink too", async () => {
  const agent = scriptedAgent(answering, { capabilities: BOTH_TIERS });
  await using ctx = await testRuntime({ agent });
  const folders = ["one", "two", "link"].map((name) => path.join(ctx.workspace, name));
  const [one = "", two = "", link = ""] = folders;
  fs.mkdirSync(one);
  fs.mkdirSync(two);
  fs.symlinkSync(one, link);
  for (const cwd of folders) await ctx.open({ sessionId: cwd, cwd });
  for (const cwd of folders) {
    await ctx.runtime.unloadSession(cwd, OPERATOR);
    await ctx.prompt("go", { sessionId: cwd });
  }
  const resumed = agent.callsOf("session/resume").map(({ params }) => params.cwd);
  expect(resumed).toEqual(folders);
  expect(agent.launches.map(({ cwd }) => cwd)).toEqual([...folders, ...folders]);
});

test("each session's agent sees the values of its own environment only", async () => {
  const agent = scriptedAgent(answering, { capabilities: BOTH_TIERS });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ sessionId: "a", env: { API_KEY: "key-of-a" } });
  await ctx.open({ sessionId: "b", env: { API_KEY: "key-of-b" } });
  for (const sessionId of ["a", "b", "a"]) {
    await ctx.runtime.unloadSession(sessionId, OPERATOR);
    await ctx.prompt("go", { sessionId });
  }
  const keys = agent.launches.map(({ env }) => env.API_KEY);
  expect(keys).toEqual(["key-of-a", "key-of-b", "key-of-a", "key-of-b", "key-of-a"]);
});

test("a session that failed is restored by opening it again", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      if (turn.text === "crash") turn.crash({ code: 9 });
      return "end_turn";
    },
    { capabilities: BOTH_TIERS },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("crash");
  await expect(resultOf(ctx, promptId)).rejects.toMatchObject({
    code: "adapter_exited",
    details: { exitCode: 9, delivery: "uncertain" },
  });
  expect((await ctx.runtime.getSession("main")).state).toMatchObject({
    status: "failed",
    error: { code: "adapter_exited" },
  });
  await ctx.open();
  expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
  await ctx.prompt("go");
  expect((await ctx.runtime.getSession("main")).state.status).toBe("idle");
});

test("a session that is unloaded in a turn shows no turn afterwards, after a restart neither", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  await agent.called("session/prompt");
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.runtime.getSession("main")).state.status).toBe("idle");
  await using restarted = await ctx.afterCrash();
  expect((await restarted.runtime.getSession("main")).state.status).toBe("idle");
  expect(await ofType(restarted, "_signalbox/turn_ended")).toHaveLength(1);
});

test("a mode that the agent no longer offers does not stop the restore, and the truth is shown", async () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  let isNewer = false;
  const agent = scriptedAgent(answering, {
    capabilities: BOTH_TIERS,
    modes: { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan" }] },
    handle: {
      "session/resume": () => ({ modes: isNewer ? modes : null }),
      "session/set_mode": () => {
        throw new ScriptedFailure(-32602, "no such mode");
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  isNewer = true;
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  expect(await ofType(ctx, "_signalbox/config_refused")).toMatchObject([
    { configId: "mode", value: "plan" },
  ]);
  expect((await ctx.runtime.sessionConfig("main")).modes).toEqual(modes);
});

test.each(["session/resume", "session/load"])(
  "an adapter that dies in %s costs that means only",
  async (method) => {
    const agent = scriptedAgent(answering, {
      capabilities: BOTH_TIERS,
      handle: {
        [method]: (_params, voice) => {
          voice.crash({ code: 5 });
          return {};
        },
        ...(method === "session/load"
          ? {
              "session/resume": () => {
                throw new ScriptedFailure(-32603, "not today");
              },
            }
          : {}),
      },
    });
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    await ctx.runtime.unloadSession("main", OPERATOR);
    expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
    const [restored] = await ofType(ctx, "_signalbox/restored");
    expect(restored).toMatchObject({ mode: method === "session/load" ? "continued" : "loaded" });
    expect(String(restored?.reason)).toContain(method);
    expect(agent.launches).toHaveLength(3);
  },
);

test("an agent that stays silent in a restore is given up, and the next means brings the session back", async () => {
  const agent = scriptedAgent(answering, {
    capabilities: BOTH_TIERS,
    handle: { "session/resume": () => new Promise(() => undefined) },
  });
  await using ctx = await testRuntime({ agent, limits: { startTimeoutMs: 300 } });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  expect(await ofType(ctx, "_signalbox/restored")).toMatchObject([{ mode: "loaded" }]);
});
