/** What turns used, by agent, session and day, with rows that are there and rows that are gone. */
import type { JsonObject, UsageQuery } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;

const cost = (amount: number, currency = "USD"): JsonObject => ({
  sessionUpdate: "usage_update",
  used: 10,
  size: 100,
  cost: { amount, currency },
});

function summary(ctx: TestRuntime, by: UsageQuery["by"], shiftMs = 0) {
  const from = new Date(Date.now() + shiftMs - HOUR_MS).toISOString();
  const to = new Date(Date.now() + shiftMs + HOUR_MS).toISOString();
  return ctx.runtime.usageSummary({ from, to, by });
}

/** Turns that cost what their text says, and end as it says. */
const spending = () =>
  scriptedAgent(async (turn) => {
    const [total = "0", end] = turn.text.split(" ");
    await turn.update(cost(Number(total)));
    if (end === "crash") turn.crash();
    if (end === "stay") await turn.untilCancelled();
    return {
      stopReason: "end_turn",
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 17 },
    };
  });

async function cancelled(ctx: TestRuntime, text: string): Promise<void> {
  const { promptId } = await ctx.submit(text);
  await expect.poll(() => ctx.types()).toContain("usage_update");
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
}

test("turns are counted by how they ended, with their tokens and the cost that each added", async () => {
  await using ctx = await testRuntime({ agent: spending() });
  await ctx.open();
  await cancelled(ctx, "0.1 stay");
  await ctx.prompt("0.3");
  await ctx.prompt("0.35");
  await expect(ctx.prompt("0.4 crash")).rejects.toMatchObject({ code: "adapter_exited" });
  const row = {
    turns: { completed: 2, cancelled: 1, failed: 1 },
    tokens: { input: 30, output: 15, total: 51 },
    costs: [{ currency: "USD", amount: 0.4 }],
    approvals: { count: 0, waitMs: 0, maxWaitMs: 0 },
    crashes: 1,
  };
  expect(await summary(ctx, "agent")).toEqual({ rows: [{ key: "scripted", ...row }] });
  expect(await summary(ctx, "session")).toEqual({ rows: [{ key: "main", ...row }] });
  const day = new Date().toISOString().slice(0, 10);
  expect(await summary(ctx, "day")).toEqual({ rows: [{ key: day, ...row }] });
  expect(await summary(ctx, "agent", -3 * HOUR_MS)).toEqual({ rows: [] });
  expect(await summary(ctx, "agent", 3 * HOUR_MS)).toEqual({ rows: [] });
});

test("what a session came to outlives its deletion, and adds up with the session after it", async () => {
  await using ctx = await testRuntime({ agent: spending() });
  await ctx.open();
  await ctx.prompt("0.5");
  await expect(ctx.prompt("0.6 crash")).rejects.toMatchObject({ code: "adapter_exited" });
  const before = await summary(ctx, "session");
  await ctx.runtime.deleteSession("main", OPERATOR);
  expect(await summary(ctx, "session")).toEqual(before);
  await ctx.open();
  await ctx.prompt("0.5");
  await ctx.runtime.deleteSession("main", OPERATOR);
  expect(await summary(ctx, "session")).toMatchObject({
    rows: [
      {
        turns: { completed: 2, failed: 1 },
        costs: [{ currency: "USD", amount: 1.1 }],
        crashes: 1,
      },
    ],
  });
});

test("waits for a person are counted, before and after a deletion; those of a policy are none", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "may I" });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.open({ sessionId: "free" });
  await ctx.prompt("go", { sessionId: "free" });
  for (let turn = 0; turn < 2; turn += 1) {
    const { promptId } = await ctx.submit("go");
    const pending = async () => (await ctx.runtime.pendingPermissions({})).requests;
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [request] = await pending();
    const answer = {
      sessionId: "main",
      requestId: request?.requestId ?? "",
      optionId: "allow",
    };
    await ctx.runtime.respondToPermission(answer, OPERATOR);
    await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  }
  const rows = await ctx.deps.db.prisma.permission.findMany();
  const waits = rows.map((row) => Number(row.resolvedAt) - Number(row.requestedAt));
  const approvals = {
    count: 2,
    waitMs: waits.reduce((sum, wait) => sum + wait, 0),
    maxWaitMs: Math.max(...waits),
  };
  const before = await summary(ctx, "session");
  expect(before.rows).toMatchObject([
    { key: "free", approvals: { count: 0 } },
    { key: "main", approvals },
  ]);
  await ctx.runtime.deleteSession("main", OPERATOR);
  expect(await summary(ctx, "session")).toEqual(before);
});

test("a cost that begins again, in the agent or in another currency, is not taken back", async () => {
  const updates = [cost(2), cost(0.5), cost(1), cost(3, "EUR")];
  const agent = scriptedAgent(async (turn) => {
    await turn.update(updates.shift() ?? {});
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (let turn = 0; turn < 4; turn += 1) await ctx.prompt("go");
  expect((await summary(ctx, "agent")).rows[0]?.costs).toEqual([
    { currency: "EUR", amount: 3 },
    { currency: "USD", amount: 3 },
  ]);
});

test("what is spent and approved between turns counts, whatever ends the session's agent", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      await turn.update(cost(Number(turn.text)));
      return "end_turn";
    },
    { capabilities: { sessionCapabilities: { resume: {} } } },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.prompt("1");
  const voice = agent.voice(agent.sessionIds[0] ?? "");
  const answer = voice.askPermission({ title: "may I" });
  const pending = async () => (await ctx.runtime.pendingPermissions({})).requests;
  await expect.poll(async () => (await pending()).length).toBe(1);
  const requestId = (await pending())[0]?.requestId ?? "";
  await ctx.runtime.respondToPermission(
    { sessionId: "main", requestId, optionId: "allow" },
    OPERATOR,
  );
  expect(await answer).toBe("allow");
  await voice.update(cost(1.25));
  const spent = async (of: TestRuntime) => (await summary(of, "agent")).rows[0]?.costs;
  await expect.poll(() => spent(ctx)).toEqual([{ currency: "USD", amount: 1.25 }]);
  await using after = await ctx.afterCrash();
  await after.prompt("1.5");
  const row = {
    turns: { completed: 2, cancelled: 0, failed: 0 },
    costs: [{ currency: "USD", amount: 1.5 }],
    approvals: { count: 1 },
  };
  expect((await summary(after, "session")).rows).toMatchObject([{ key: "main", ...row }]);
  await after.runtime.deleteSession("main", OPERATOR);
  expect((await summary(after, "session")).rows).toMatchObject([{ key: "main", ...row }]);
});

test("a turn that a kill cuts off keeps what it had cost, in each currency", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (const update of [cost(0.25), cost(0.5), cost(2, "constructor"), cost(3, "__proto__")]) {
      await turn.update(update);
    }
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  await expect
    .poll(async () => (await ctx.types()).filter((type) => type === "usage_update").length)
    .toBe(4);
  expect(await summary(ctx, "agent")).toEqual({ rows: [] });
  await using after = await ctx.afterCrash();
  expect((await summary(after, "agent")).rows).toMatchObject([
    {
      turns: { failed: 1 },
      costs: [
        { currency: "USD", amount: 0.5 },
        { currency: "__proto__", amount: 3 },
        { currency: "constructor", amount: 2 },
      ],
    },
  ]);
});

test("the cost goes on from where it was before a kill", async () => {
  await using ctx = await testRuntime({
    agent: scriptedAgent(
      async (turn) => {
        await turn.update(cost(Number(turn.text)));
        return "end_turn";
      },
      { capabilities: { sessionCapabilities: { resume: {} } } },
    ),
  });
  await ctx.open();
  await ctx.prompt("1");
  await using after = await ctx.afterCrash();
  await after.prompt("1.5");
  expect((await summary(after, "agent")).rows[0]?.costs).toEqual([
    { currency: "USD", amount: 1.5 },
  ]);
});

test("more sessions than one look takes are all counted, once", async () => {
  await using ctx = await testRuntime({ agent: spending() });
  await ctx.open();
  await ctx.prompt("1");
  await ctx.deps.db.write((sqlite) => {
    const day = new Date().toISOString().slice(0, 10);
    const insert = sqlite.prepare("INSERT INTO UsageRollup VALUES (?, ?, ?, ?)");
    const facts = JSON.stringify({ completed: 1 });
    for (let n = 0; n < 250; n += 1) {
      insert.run(`gone-${n}`, "a", day, facts);
      insert.run(`gone-${n}`, "b", day, facts);
    }
  });
  const { rows } = await summary(ctx, "agent");
  expect(rows.map(({ key, turns }) => [key, turns.completed])).toEqual([
    ["a", 250],
    ["b", 250],
    ["scripted", 1],
  ]);
});

test("what retention removes stays in the sums", async () => {
  await using ctx = await testRuntime({
    // It has no means to restore, so its cost begins again after the crash.
    agent: spending(),
    limits: { maxPromptsPerSession: 1, maxSessionHistoryEvents: 4 },
  });
  await ctx.open();
  await expect(ctx.prompt("0.5 crash")).rejects.toMatchObject({ code: "adapter_exited" });
  for (const text of ["0.6", "0.7", "0.8"]) await ctx.prompt(text);
  await expect.poll(() => ctx.deps.db.prisma.prompt.count()).toBe(1);
  await expect.poll(() => ctx.types()).not.toContain("_signalbox/adapter_exited");
  expect((await summary(ctx, "agent")).rows).toMatchObject([
    {
      turns: { completed: 3, failed: 1 },
      tokens: { total: 51 },
      costs: [{ currency: "USD", amount: 1.3 }],
      crashes: 1,
    },
  ]);
});
