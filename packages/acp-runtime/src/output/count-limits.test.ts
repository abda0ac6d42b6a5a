/** Limits of what is kept and shown: at the limit, one above, and far above. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const echo = () => scriptedAgent(async () => "end_turn");
/** Its user's message and its end. */
const EVENTS_OF_A_TURN = 2;

async function kept(ctx: TestRuntime) {
  return ctx.deps.db.read((sqlite) => {
    const row = sqlite
      .prepare("SELECT count(*) AS events, sum(octet_length(fields)) AS bytes FROM Event")
      .safeIntegers(false)
      .get() as { events: number; bytes: number };
    return row;
  });
}

async function historyAfter(turns: number, limits: Parameters<typeof testRuntime>[0]["limits"]) {
  await using ctx = await testRuntime({ agent: echo(), limits: limits ?? {} });
  await ctx.open();
  for (let turn = 0; turn < turns; turn += 1) await ctx.prompt("go");
  // A cut that is due is made behind the write that made it so.
  await expect
    .poll(async () => {
      const { events, bytes } = await kept(ctx);
      const { maxSessionHistoryEvents, maxSessionHistoryBytes } = ctx.deps.limits;
      return events <= maxSessionHistoryEvents && bytes <= maxSessionHistoryBytes;
    })
    .toBe(true);
  return kept(ctx);
}

test("maxSessionHistoryEvents: as many events stay", async () => {
  const max = 3 * EVENTS_OF_A_TURN;
  expect((await historyAfter(3, { maxSessionHistoryEvents: max })).events).toBe(max);
  const above = (await historyAfter(3, { maxSessionHistoryEvents: max - 1 })).events;
  expect(above).toBeLessThan(max);
  expect(above).toBeGreaterThanOrEqual(EVENTS_OF_A_TURN);
  expect((await historyAfter(20, { maxSessionHistoryEvents: max })).events).toBeLessThanOrEqual(
    max,
  );
});

test("maxSessionHistoryBytes: as many bytes stay", async () => {
  const all = await historyAfter(3, {});
  expect(await historyAfter(3, { maxSessionHistoryBytes: all.bytes })).toEqual(all);
  const above = await historyAfter(3, { maxSessionHistoryBytes: all.bytes - 1 });
  expect(above.events).toBeLessThan(all.events);
  const far = await historyAfter(20, { maxSessionHistoryBytes: all.bytes });
  expect(far.bytes).toBeLessThanOrEqual(all.bytes);
});

test("maxPromptsPerSession: as many prompts stay", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxPromptsPerSession: 3 } });
  await ctx.open();
  const count = () => ctx.deps.db.prisma.prompt.count();
  const first = await ctx.submit("first");
  const target = { sessionId: "main", promptId: first.promptId };
  for (let turn = 0; turn < 2; turn += 1) {
    await ctx.prompt("go", { whenBusy: "queue" });
  }
  expect(await count()).toBe(3);
  const never = new AbortController().signal;
  expect(await ctx.runtime.promptResult(target, never)).toMatchObject({ stopReason: "end_turn" });
  await ctx.prompt("one above");
  await expect.poll(count).toBe(3);
  await expect(ctx.runtime.promptResult(target, never)).rejects.toMatchObject({
    code: "prompt_not_found",
  });
  for (let turn = 0; turn < 20; turn += 1) await ctx.prompt("far above");
  await expect.poll(count).toBe(3);
});

test("maxSessionListEntries and maxHistoryPageEntries: a page may be as long", async () => {
  const limits = { maxSessionListEntries: 3, maxHistoryPageEntries: 3 };
  await using ctx = await testRuntime({ agent: echo(), limits });
  for (const sessionId of ["a", "b", "c", "d"]) await ctx.open({ sessionId });
  for (let turn = 0; turn < 2; turn += 1) await ctx.prompt("go", { sessionId: "a" });
  const { runtime } = ctx;
  const lists = {
    listSessions: (limit: number) => runtime.listSessions({ limit }).then((page) => page.sessions),
    pendingPermissions: (limit: number) =>
      runtime.pendingPermissions({ limit }).then((page) => page.requests),
    pendingQuestions: (limit: number) =>
      runtime.pendingQuestions({ limit }).then((page) => page.requests),
    search: (limit: number) => runtime.search({ query: "go", limit }).then((page) => page.hits),
  };
  expect(await lists.listSessions(3)).toHaveLength(3);
  for (const read of Object.values(lists)) {
    expect((await read(3)).length).toBeLessThanOrEqual(3);
    for (const actual of [4, 1_000_000, 0]) {
      await expect(read(actual)).rejects.toMatchObject({
        code: "list_limit",
        details: { limit: "limits.acp.maxSessionListEntries", max: 3, actual },
      });
    }
  }
  const page = (limit: number) => runtime.history({ sessionId: "a", limit });
  expect((await page(3)).events).toHaveLength(3);
  for (const actual of [4, 1_000_000]) {
    await expect(page(actual)).rejects.toMatchObject({
      code: "history_limit",
      details: { limit: "limits.acp.maxHistoryPageEntries", max: 3, actual },
    });
  }
});

test("maxSessions: as many sessions exist, and one that is deleted makes room", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxSessions: 2 } });
  for (const sessionId of ["a", "b", "a"]) await ctx.open({ sessionId });
  for (const sessionId of ["c", "d"]) {
    await expect(ctx.open({ sessionId })).rejects.toMatchObject({
      code: "sessions_limit",
      details: { limit: "limits.acp.maxSessions", max: 2, actual: 3 },
    });
  }
  await ctx.runtime.deleteSession("a", OPERATOR);
  await ctx.open({ sessionId: "c" });
});

test("maxLiveAdapters: as many run; with all of them busy no other starts", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent, limits: { maxLiveAdapters: 2 } });
  for (const sessionId of ["a", "b"]) {
    await ctx.open({ sessionId });
    await ctx.submit("stay", { sessionId });
  }
  expect(agent.running).toBe(2);
  const refusals = await Promise.allSettled(
    ["c", "d", "e", "f"].map((sessionId) => ctx.open({ sessionId })),
  );
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      reason: {
        code: "limit_exceeded",
        details: { limit: "limits.acp.maxLiveAdapters", max: 2, actual: 3 },
      },
    });
  }
  expect(agent.running).toBe(2);
});

test("maxPendingPermissionsPerSession: as many requests wait, the rest is refused", async () => {
  const heard: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    const asks = Array.from({ length: 30 }, (_, at) =>
      turn.askPermission({ title: "t", toolCallId: `call-${at}` }).then((it) => heard.push(it)),
    );
    await Promise.all(asks);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { maxPendingPermissionsPerSession: 3 } });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.submit("go");
  await expect.poll(() => heard).toHaveLength(27);
  expect((await ctx.runtime.pendingPermissions({})).requests).toHaveLength(3);
  const refused = (await ctx.events()).filter(({ type }) => type.endsWith("unsatisfied"));
  expect(refused).toHaveLength(27);
  for (const { error } of refused) {
    const details = { limit: "limits.acp.maxPendingPermissionsPerSession", max: 3, actual: 4 };
    expect(error).toMatchObject({ code: "limit_exceeded", details });
  }
});
