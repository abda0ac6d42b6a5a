/** History and prompts within their limits: what goes, what stays, and who is told. */
import { isOverHistoryLimits, pruneEventsInWrite, pruneOldPrompts } from "@signalbox/db";
import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const echo = (): ScriptedAgent =>
  scriptedAgent(async (turn) => {
    await turn.say(`said ${turn.text}`);
    return "end_turn";
  });

const figures = (ctx: TestRuntime) =>
  ctx.deps.db.prisma.session.findUniqueOrThrow({ where: { sessionId: "main" } });

/** Resolves when nothing is left to be cut. */
async function settled(ctx: TestRuntime): Promise<void> {
  await expect
    .poll(async () => {
      const { latestSequence, oldestSequence, historyBytes } = await figures(ctx);
      const seen = { latestSequence, oldestSequence, historyBytes: Number(historyBytes) };
      return isOverHistoryLimits(seen, ctx.deps.limits);
    })
    .toBe(false);
}

test("the oldest events go when there are more than the limit, and the page says from where", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxSessionHistoryEvents: 10 } });
  await ctx.open();
  for (let turn = 0; turn < 3; turn += 1) await ctx.prompt(`${turn}`);
  expect((await ctx.runtime.history({ sessionId: "main" })).oldestSequence).toBe(1);
  await ctx.prompt("one over");
  await settled(ctx);
  const page = await ctx.runtime.history({ sessionId: "main", after: 0, limit: 4 });
  expect(page).toMatchObject({
    oldestSequence: 3,
    latestSequence: 12,
    hasMoreBefore: false,
    hasMoreAfter: true,
  });
  expect(page.events.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6]);
});

test("bytes are counted as UTF-8, and history goes below their limit", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("é".repeat(1_000));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { maxSessionHistoryBytes: 10_000 } });
  await ctx.open();
  for (let turn = 0; turn < 8; turn += 1) await ctx.prompt("go");
  await settled(ctx);
  const rows = await ctx.deps.db.prisma.event.findMany();
  const bytes = rows.reduce((sum, { fields }) => sum + Buffer.byteLength(fields), 0);
  expect(Number((await figures(ctx)).historyBytes)).toBe(bytes);
  expect(bytes).toBeLessThanOrEqual(10_000);
  expect(rows.length).toBeGreaterThan(3);
});

test("the turn that runs loses nothing, however long it is", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 40; n += 1) {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "t" });
    }
    await ctx.deps.db.write(() => undefined);
    counts.push((await ctx.events()).length);
    return "end_turn";
  });
  const counts: number[] = [];
  await using ctx = await testRuntime({ agent, limits: { maxSessionHistoryEvents: 10 } });
  await ctx.open();
  await ctx.prompt("go");
  expect(counts).toEqual([41]);
  await settled(ctx);
  expect((await ctx.types()).at(-1)).toBe("_signalbox/turn_ended");
});

test("cursors into what was cut have expired; the edge and 0 are always good", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxSessionHistoryEvents: 6 } });
  await ctx.open();
  for (let turn = 0; turn < 4; turn += 1) await ctx.prompt(`${turn}`);
  await settled(ctx);
  const { oldestSequence } = await ctx.runtime.history({ sessionId: "main" });
  expect(oldestSequence).toBeGreaterThan(3);
  const expired = { code: "history_cursor_expired", details: { oldestSequence } };
  for (const query of [{ after: 1 }, { after: oldestSequence - 2 }, { before: 2 }]) {
    await expect(ctx.runtime.history({ sessionId: "main", ...query })).rejects.toMatchObject(
      expired,
    );
  }
  for (const after of [0, oldestSequence - 1]) {
    const page = await ctx.runtime.history({ sessionId: "main", after });
    expect(page.events[0]?.sequence).toBe(oldestSequence);
  }
  const from = { sessionId: "main", after: 1, lastEventId: null };
  await expect(ctx.runtime.followSession(from, NEVER).next()).rejects.toMatchObject(expired);
});

test("a reader whose place is cut off under it is told, and sees no gap", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxSessionHistoryEvents: 6 } });
  await ctx.open();
  await ctx.prompt("first");
  const from = { sessionId: "main", after: 0, lastEventId: null };
  const reader = ctx.runtime.followSession(from, NEVER);
  const first = await reader.next();
  expect(first.value?.event).toMatchObject({ sequence: 1 });
  // What it has in hand is one page; the next one is gone when it asks.
  await reader.next();
  await reader.next();
  for (let turn = 0; turn < 4; turn += 1) await ctx.prompt(`${turn}`);
  await settled(ctx);
  await expect(reader.next()).rejects.toMatchObject({ code: "history_cursor_expired" });
});

test("a retry gets the result of a turn whose output was cut", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxSessionHistoryEvents: 6 } });
  await ctx.open();
  const result = await ctx.prompt("first", { idempotencyKey: "k" });
  for (let turn = 0; turn < 4; turn += 1) await ctx.prompt(`${turn}`);
  await settled(ctx);
  expect(await ctx.prompt("first", { idempotencyKey: "k" })).toEqual(result);
});

test("a cut takes small batches, and other writes come between them", async () => {
  await using ctx = await testRuntime({ agent: echo() });
  await ctx.open();
  const target = { sessionId: "main", ...ctx.deps.owner };
  await ctx.deps.db.write((sqlite) => {
    const insert = sqlite.prepare(
      "INSERT INTO Event (sessionId, sequence, type, fields, timestamp) VALUES ('main', ?, 't', '{}', 0)",
    );
    for (let sequence = 1; sequence <= 3_000; sequence += 1) insert.run(sequence);
    sqlite.exec("UPDATE Session SET latestSequence = 3000, historyBytes = 6000");
  });
  const limits = { maxSessionHistoryBytes: 1_000_000, maxSessionHistoryEvents: 1_000 };
  const left: number[] = [];
  let isMoreDue = true;
  while (isMoreDue) {
    isMoreDue = await ctx.deps.db.write((sqlite) => pruneEventsInWrite(sqlite, target, limits));
    left.push(await ctx.deps.db.prisma.event.count());
  }
  expect(left).toEqual([2_500, 2_000, 1_500, 1_000, 990]);
});

test("idempotency keys go with the oldest prompts over the limit, and never with the newest", async () => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxPromptsPerSession: 2 } });
  await ctx.open();
  const first = await ctx.submit("one", { idempotencyKey: "one" });
  const target = { sessionId: "main", promptId: first.promptId };
  await ctx.runtime.promptResult(target, NEVER);
  await ctx.prompt("two", { idempotencyKey: "two" });
  await ctx.prompt("three", { idempotencyKey: "three" });
  await expect.poll(() => ctx.deps.db.prisma.prompt.count()).toBe(2);
  await expect(ctx.runtime.awaitPrompt(target, 0, NEVER)).rejects.toMatchObject({
    code: "prompt_not_found",
  });
  expect((await ctx.submit("three", { idempotencyKey: "three" })).repeated).toBe(true);
  expect((await ctx.submit("one", { idempotencyKey: "one" })).repeated).toBe(false);
});

test("prompts that are too old go, but for each session's newest, running or queued", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "stay") await turn.untilCancelled();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  for (const sessionId of ["a", "b"]) await ctx.open({ sessionId });
  for (const text of ["1", "2", "3"]) await ctx.prompt(text, { sessionId: "a" });
  await ctx.prompt("1", { sessionId: "b" });
  await ctx.submit("stay", { sessionId: "b" });
  await ctx.submit("queued", { sessionId: "b", whenBusy: "queue" });
  expect(await pruneOldPrompts(ctx.deps.db, 0, NEVER)).toBe(0);
  expect(await pruneOldPrompts(ctx.deps.db, Date.now() + 1_000, NEVER)).toBe(3);
  const left = await ctx.deps.db.prisma.prompt.findMany({ orderBy: { promptId: "asc" } });
  expect(left.map(({ sessionId, state }) => [sessionId, state])).toEqual([
    ["a", "completed"],
    ["b", "dispatched"],
    ["b", "queued"],
  ]);
});

test("what removed turns came to is kept by agent and day", async () => {
  await using ctx = await testRuntime({ agent: echo() });
  await ctx.open();
  await ctx.prompt("one");
  await ctx.prompt("two");
  await ctx.runtime.deleteSession("main", OPERATOR);
  const [rollup, ...more] = await ctx.deps.db.prisma.usageRollup.findMany();
  expect(more).toEqual([]);
  expect(rollup).toMatchObject({ sessionId: "main", agent: "scripted" });
  expect(JSON.parse(rollup?.facts ?? "")).toMatchObject({ completed: 2, failed: 0 });
});

test("a page ends at a number of bytes, and always has an event", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 3; n += 1) {
      await turn.update({ sessionUpdate: "big", text: "x".repeat(5 * 1024 * 1024) });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  const seen: number[] = [];
  let after = 0;
  for (let isMore = true; isMore; ) {
    const page = await ctx.runtime.history({ sessionId: "main", after, limit: 100 });
    seen.push(page.events.length);
    after = page.events.at(-1)?.sequence ?? after;
    isMore = page.hasMoreAfter;
  }
  expect(seen).toEqual([2, 1, 2]);
});

test("one damaged row hides no other", async () => {
  await using ctx = await testRuntime({ agent: echo() });
  await ctx.open();
  await ctx.prompt("go");
  await ctx.deps.db.write((sqlite) =>
    sqlite.exec("UPDATE Event SET fields = '{' WHERE sequence = 2"),
  );
  const events = await ctx.events();
  expect(events).toHaveLength(3);
  expect(events[1]).toMatchObject({
    type: "agent_message_chunk",
    _meta: { "signalbox/unreadable": "{" },
  });
});

test.each([0, -1, 1.5, 11])("a page of %d is refused, naming the limit", async (limit) => {
  await using ctx = await testRuntime({ agent: echo(), limits: { maxHistoryPageEntries: 10 } });
  await ctx.open();
  await ctx.prompt("go");
  expect((await ctx.runtime.history({ sessionId: "main", limit: 10 })).events).toHaveLength(3);
  await expect(ctx.runtime.history({ sessionId: "main", limit })).rejects.toMatchObject({
    code: "history_limit",
    details: { limit: "limits.acp.maxHistoryPageEntries", max: 10, actual: limit },
  });
});

test("sessions that changed in the same millisecond are listed once each, page by page", async () => {
  await using ctx = await testRuntime({ agent: echo() });
  await ctx.open({ sessionId: "template" });
  await ctx.deps.db.write((sqlite) => {
    const columns = (table: string) =>
      sqlite
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .pluck()
        .all()
        .filter((name) => name !== "sessionId")
        .join(", ");
    for (let n = 0; n < 200; n += 1) {
      for (const table of ["Session", "SessionDetail"]) {
        const rest = columns(table);
        sqlite
          .prepare(
            `INSERT INTO ${table} (sessionId, ${rest}) SELECT ?, ${rest} FROM ${table} WHERE sessionId = 'template'`,
          )
          .run(`s${n}`);
      }
    }
    sqlite.exec("UPDATE Session SET updatedAt = 1");
  });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ctx.runtime.listSessions({ cursor, limit: 7 });
    seen.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(201);
  expect(seen).toEqual([...seen].sort((a, b) => (Buffer.from(a) < Buffer.from(b) ? -1 : 1)));
});
