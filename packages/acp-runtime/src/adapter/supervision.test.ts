/** What an operator sees of adapters: their stderr, their processes, and those that are held back. */
import type { SessionEvent } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const SECRET = "s3cret-of-the-session";

async function follow(ctx: TestRuntime, signal: AbortSignal, seen: SessionEvent[]): Promise<void> {
  const from = { sessionId: "main", after: undefined, lastEventId: null };
  for await (const { event } of ctx.runtime.followSession(from, signal)) seen.push(event);
}

test("stderr is readable from the first byte of the start on, with secrets masked", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    onNew: (voice) => voice.stderr(`starting with ${SECRET.slice(0, 9)}`),
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: SECRET } });
  agent.voice(String(agent.sessionIds[0])).stderr(`${SECRET.slice(9)}\nready\n`);
  await expect
    .poll(() => ctx.runtime.agentStderr("main"))
    .toEqual({ text: "starting with [redacted:API_KEY]\nready\n", truncated: false });
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.runtime.agentStderr("main")).text).toContain("ready");
  await ctx.prompt("go");
  expect((await ctx.runtime.agentStderr("main")).text).not.toContain("ready");
});

test("only the end of a long stderr is kept, and it says so", async () => {
  const agent = scriptedAgent(async (turn) => {
    turn.stderr(`${"x".repeat(5_000)}é the last words`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { stderrTailBytes: 1_024 } });
  await ctx.open();
  await ctx.prompt("go");
  const { text, truncated } = await ctx.runtime.agentStderr("main");
  expect(truncated).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
  expect(text.endsWith("é the last words")).toBe(true);
});

test("the stderr of an adapter that crashed before a restart of the server is known from its exit", async () => {
  const agent = scriptedAgent(async (turn) => {
    turn.stderr("no more memory\n");
    turn.crash({ code: 9 });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  expect(await ctx.runtime.agentStderr("main")).toEqual({ text: "", truncated: false });
  await ctx.prompt("go").catch(() => undefined);
  await using after = await ctx.afterCrash();
  expect((await after.runtime.agentStderr("main")).text).toBe("no more memory\n");
  await expect(after.runtime.agentStderr("nobody")).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("a watcher sees stderr live, masked, and history never has it", async () => {
  const agent = scriptedAgent(async (turn) => {
    turn.stderr(`key ${SECRET.slice(0, 5)}`);
    turn.stderr(`${SECRET.slice(5)} end\n`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: SECRET } });
  const stop = new AbortController();
  const seen: SessionEvent[] = [];
  const following = follow(ctx, stop.signal, seen);
  await ctx.prompt("go");
  const written = () =>
    seen.filter(({ type }) => type === "_signalbox/stderr").map(({ text }) => text);
  await expect.poll(() => written().join("")).toBe("key [redacted:API_KEY] end\n");
  stop.abort();
  await following;
  const [event] = seen.filter(({ type }) => type === "_signalbox/stderr");
  expect(event).toMatchObject({
    durability: "ephemeral",
    sessionId: "main",
    afterSequence: expect.any(Number),
  });
  expect(await ctx.types()).not.toContain("_signalbox/stderr");
});

test("each adapter is listed with its whole tree of processes and their memory", async () => {
  await using ctx = await testRuntime({
    agent: ["setsid-grandchild"],
    limits: { stopGraceMs: 200 },
  });
  await ctx.open();
  const [before] = (await ctx.runtime.agentProcesses()).processes;
  expect(before).toMatchObject({
    sessionId: "main",
    agent: "scripted",
    processes: 1,
    state: "ready",
    startedAt: expect.stringMatching(/Z$/),
  });
  await ctx.prompt("go");
  const [after] = (await ctx.runtime.agentProcesses()).processes;
  expect(after?.pid).toBe(before?.pid);
  expect(after?.processes).toBe(2);
  expect(after?.rssBytes).toBeGreaterThan(before?.rssBytes ?? Number.POSITIVE_INFINITY);
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.runtime.agentProcesses()).processes).toEqual([]);
});

test("an agent that crashes again and again is held back for a while, and says until when", async () => {
  const agent = scriptedAgent(async (turn) => {
    turn.crash();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (let crash = 0; crash < 10; crash += 1) await ctx.prompt("go").catch(() => undefined);
  const launches = agent.launches.length;
  await expect(ctx.prompt("go")).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { phase: "held", heldUntil: expect.stringMatching(/Z$/), delivery: "never" },
    retryable: true,
  });
  expect(agent.launches).toHaveLength(launches);
  expect((await ctx.runtime.agentProcesses()).processes).toMatchObject([
    { sessionId: "main", state: "held", processes: 0 },
  ]);
});

test("an agent that dies while it is started is held back as well", async () => {
  const state = { isBroken: false };
  const agent = scriptedAgent(async () => "end_turn", {
    onNew: (voice) => {
      if (state.isBroken) voice.crash();
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  state.isBroken = true;
  for (let crash = 0; crash < 10; crash += 1) {
    await expect(ctx.open()).rejects.toMatchObject({ details: { phase: "session/new" } });
  }
  const launches = agent.launches.length;
  await expect(ctx.open()).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { phase: "held" },
    retryable: true,
  });
  expect(agent.launches).toHaveLength(launches);
});

test("an agent that talks without end before its session is there is stopped, naming the limit", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    onNew: async (voice) => {
      for (let n = 0; n < 50; n += 1) await voice.say("x".repeat(1_000));
    },
  });
  await using ctx = await testRuntime({ agent, limits: { maxTurnOutputBytes: 20_000 } });
  await expect(ctx.open()).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxTurnOutputBytes", max: 20_000 },
  });
  expect(agent.running).toBe(0);
});
