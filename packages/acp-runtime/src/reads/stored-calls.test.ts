/** What is answered from storage wakes no agent; what needs one brings it back by itself. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const talking = () =>
  scriptedAgent(
    async (turn) => {
      await turn.say(`heard ${turn.text}`);
      if (turn.text === "ask") await turn.askPermission({ title: "may I" });
      return "end_turn";
    },
    {
      capabilities: { sessionCapabilities: { resume: {} } },
      configOptions: [{ id: "x", name: "x", type: "boolean", currentValue: false }],
    },
  );

/** Each call that is stored, and the calls that answer without an adapter as well. */
function storedCalls({ runtime }: TestRuntime, promptId: string): Record<string, Promise<unknown>> {
  const day = 86_400_000;
  const range = {
    from: new Date(Date.now() - day).toISOString(),
    to: new Date(Date.now() + day).toISOString(),
  };
  const target = { sessionId: "main", promptId };
  return {
    "agents.list": runtime.listAgents(),
    "agents.processes": runtime.agentProcesses(),
    "agents.stderr": runtime.agentStderr("main"),
    "sessions.get": runtime.getSession("main"),
    "sessions.list": runtime.listSessions({}),
    "sessions.history": runtime.history({ sessionId: "main" }),
    "sessions.search": runtime.search({ query: "heard" }),
    "sessions.export": runtime.exportSession({ sessionId: "main", format: "jsonl" }),
    "sessions.config": runtime.sessionConfig("main"),
    "sessions.capabilities": runtime.sessionCapabilities("main"),
    "sessions.agentInfo": runtime.sessionAgentInfo("main"),
    "sessions.awaitPrompt": runtime.awaitPrompt(target, 0, NEVER),
    "sessions.cancelPrompt": runtime.cancelPrompt({ ...target, wait: true }, OPERATOR, NEVER),
    "sessions.rotateEnv": runtime.rotateEnv({ sessionId: "main", env: {} }, OPERATOR),
    "sessions.unload": runtime.unloadSession("main", OPERATOR),
    "permissions.pending": runtime.pendingPermissions({}),
    "permissions.respond": runtime.respondToPermission(
      { sessionId: "main", requestId: "nobody", optionId: "x" },
      OPERATOR,
    ),
    "questions.pending": runtime.pendingQuestions({}),
    "usage.summary": runtime.usageSummary({ ...range, by: "session" }),
    "system.info": runtime.info(),
  };
}

test("no stored call starts, restores or asks an adapter", async () => {
  const agent = talking();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.prompt("hello");
  await ctx.runtime.unloadSession("main", OPERATOR);
  const before = { launches: agent.launches.length, calls: agent.calls.length };
  for (const [name, call] of Object.entries(storedCalls(ctx, promptId))) {
    expect(await call.then(() => "answered"), name).toBe("answered");
    expect({ launches: agent.launches.length, calls: agent.calls.length }, name).toEqual(before);
  }
  const from = { sessionId: "main", after: 0, lastEventId: null };
  for await (const { event } of ctx.runtime.followSession(from, NEVER)) {
    if (event.type === "_signalbox/turn_ended") break;
  }
  expect(agent.launches).toHaveLength(before.launches);
  expect((await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
});

test("after a kill the same calls start nothing either", async () => {
  const agent = talking();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.prompt("hello");
  await using after = await ctx.afterCrash();
  await Promise.all(Object.values(storedCalls(after, promptId)));
  expect(agent.launches).toHaveLength(1);
});

test("a prompt, an open and a changed option bring an unloaded session back, each with one start", async () => {
  const agent = talking();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const change = { sessionId: "main", configId: "x", value: true };
  const uses = [
    () => ctx.prompt("go"),
    () => ctx.open(),
    () => ctx.runtime.setConfigOption(change, OPERATOR, NEVER),
  ];
  for (const [index, use] of uses.entries()) {
    await ctx.runtime.unloadSession("main", OPERATOR);
    expect((await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
    await use();
    expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
    expect(agent.launches).toHaveLength(2 + index);
  }
});

test("an unload of what is unloaded is a success, of what never was is not", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.runtime.unloadSession("main", OPERATOR);
  await expect(ctx.runtime.unloadSession("nobody", OPERATOR)).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("a prompt creates no session", async () => {
  const agent = talking();
  await using ctx = await testRuntime({ agent });
  await expect(ctx.submit("go")).rejects.toMatchObject({ code: "session_not_found" });
  expect((await ctx.runtime.listSessions({})).sessions).toEqual([]);
  expect(agent.launches).toEqual([]);
});

test("an unload keeps history, settings, title and what waits to be answered for", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open({ env: { API_KEY: "kept-over-unload" }, permissionPolicy: "ask" });
  await ctx.prompt("hello");
  const seen = async () => ({
    ...(await ctx.runtime.getSession("main")),
    events: await ctx.events(),
    config: await ctx.runtime.sessionConfig("main"),
    capabilities: await ctx.runtime.sessionCapabilities("main"),
  });
  const before = await seen();
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect(await seen()).toEqual({ ...before, adapter: "unloaded" });
});
