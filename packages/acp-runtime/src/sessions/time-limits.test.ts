/** Limits in time: nothing happens a moment before, it has happened at the limit, and long after. */
import type { JsonObject } from "@signalbox/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ScriptedAgent, scriptedAgent } from "../testing/index.ts";
import { OPERATOR, type TestRuntime, testRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const LIMIT_MS = 1_000;
const HOUR_MS = 60 * 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what a timer set off come to its end; what it did not set off has had the time to be seen. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await rest();
}

const adapterOf = async (ctx: TestRuntime) => (await ctx.runtime.getSession("main")).adapter;

test("idleUnloadMs: an idle adapter lives until then", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent, limits: { idleUnloadMs: LIMIT_MS } });
  await ctx.open();
  await pass(LIMIT_MS - 1);
  expect(await adapterOf(ctx)).toBe("live");
  await pass(1);
  await expect.poll(() => adapterOf(ctx)).toBe("unloaded");
  await ctx.prompt("back");
  await pass(100 * LIMIT_MS);
  await expect.poll(() => adapterOf(ctx)).toBe("unloaded");
});

/** Takes its time to start. */
function slow(startMs: number): ScriptedAgent {
  const answer: JsonObject = { protocolVersion: 1, agentCapabilities: {} };
  return scriptedAgent(async () => "end_turn", {
    handle: {
      initialize: () => new Promise((resolve) => setTimeout(() => resolve(answer), startMs)),
    },
  });
}

test.each(["startTimeoutMs", "packageStartTimeoutMs"] as const)(
  "%s: a start may take as long, and no longer",
  async (limit) => {
    for (const [startMs, outcome] of [
      [LIMIT_MS - 1, "opened"],
      [LIMIT_MS + 1, "adapter_timeout"],
      [100 * LIMIT_MS, "adapter_timeout"],
    ] as const) {
      const agent = slow(startMs);
      const isPackageRun = limit === "packageStartTimeoutMs";
      await using ctx = await testRuntime({ agent, limits: { [limit]: LIMIT_MS }, isPackageRun });
      const opened = ctx.open().then(
        () => ({ code: "opened" }),
        (error: unknown) => error,
      );
      await agent.called("initialize");
      await rest();
      vi.advanceTimersByTime(startMs);
      const details = { phase: "initialize", limit: `limits.acp.${limit}`, max: LIMIT_MS };
      expect(await opened).toMatchObject(
        outcome === "opened" ? { code: outcome } : { code: outcome, details },
      );
    }
  },
);

test("cancelGraceMs: an agent has as long to end a cancelled turn, then it is stopped", async () => {
  const agent = scriptedAgent(() => new Promise(() => undefined));
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: LIMIT_MS } });
  await ctx.open();
  const { promptId } = await ctx.submit("stay");
  await agent.called("session/prompt");
  const target = { sessionId: "main", promptId, wait: false };
  await ctx.runtime.cancelPrompt(target, OPERATOR, NEVER);
  await pass(LIMIT_MS - 1);
  expect((await ctx.runtime.getSession("main")).state).toMatchObject({ status: "running" });
  expect(agent.running).toBe(1);
  vi.advanceTimersByTime(1);
  const result = await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(result.stopReason).toBe("cancelled");
  await expect.poll(() => agent.running).toBe(0);
});

test("stopGraceMs: an adapter has as long to end, then it is killed", async () => {
  const agent = scriptedAgent(async () => "end_turn", { ignoresEndOfInput: true });
  await using ctx = await testRuntime({ agent, limits: { stopGraceMs: LIMIT_MS } });
  await ctx.open();
  const unloaded = ctx.runtime.unloadSession("main", OPERATOR);
  await rest();
  await pass(LIMIT_MS - 1);
  expect(agent.running).toBe(1);
  vi.advanceTimersByTime(1);
  await unloaded;
  expect(agent.running).toBe(0);
});

test("promptRetentionMs: a prompt is kept as long after its end, but for the newest", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent, limits: { promptRetentionMs: 2 * HOUR_MS } });
  await ctx.open();
  await ctx.startQueuedPrompts();
  const count = () => ctx.deps.db.prisma.prompt.count();
  await ctx.prompt("first");
  await ctx.prompt("second");
  // It is looked for by the hour: at the limit, then above it.
  for (let hour = 0; hour < 2; hour += 1) await pass(HOUR_MS);
  expect(await count()).toBe(2);
  await pass(HOUR_MS);
  await expect.poll(count).toBe(1);
  await pass(1_000 * HOUR_MS);
  expect(await count()).toBe(1);
});
