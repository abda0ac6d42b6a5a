/** Where a reader begins, by what it names. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import type { TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

async function talkedTo(sessionId: string): Promise<TestRuntime> {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("one", "m1");
    await turn.say("two", "m2");
    return "end_turn";
  });
  const ctx = await testRuntime({ agent });
  await ctx.open({ sessionId });
  await ctx.prompt("go", { sessionId });
  return ctx;
}

async function first(
  ctx: TestRuntime,
  from: { sessionId: string; after?: number; lastEventId?: string },
) {
  const { sessionId, after, lastEventId = null } = from;
  const reader = ctx.runtime.followSession({ sessionId, after, lastEventId }, NEVER);
  const { value } = await reader.next();
  await reader.return(undefined);
  if (!value) throw new Error("the stream ended");
  return value;
}

test("of a cursor and a sequence the cursor counts", async () => {
  await using ctx = await talkedTo("main");
  const { cursor } = await first(ctx, { sessionId: "main", after: 1 });
  const next = await first(ctx, { sessionId: "main", after: 0, lastEventId: cursor });
  expect(next.event).toMatchObject({ sequence: 3 });
});

test("without a place reading begins with what comes next", async () => {
  await using ctx = await talkedTo("main");
  const coming = first(ctx, { sessionId: "main" });
  await ctx.prompt("again");
  expect((await coming).event).toMatchObject({ sequence: 5, type: "user_message_chunk" });
});

test.each(["x".repeat(256), "é".repeat(128), "main"])(
  "a cursor has at most 256 characters, whatever the session is called",
  async (sessionId) => {
    await using ctx = await talkedTo(sessionId);
    const { cursor } = await first(ctx, { sessionId, after: 0 });
    expect(cursor.length).toBeLessThanOrEqual(256);
  },
);

test.each([-1, 1.5, Number.MAX_SAFE_INTEGER + 1])(
  "a place that is no sequence is refused: %d",
  async (after) => {
    await using ctx = await talkedTo("main");
    await expect(first(ctx, { sessionId: "main", after })).rejects.toMatchObject({
      code: "invalid_history_cursor",
      details: { field: "after" },
    });
  },
);

test("a place beyond the newest event is ahead, and a page may begin one beyond it", async () => {
  await using ctx = await talkedTo("main");
  const { latestSequence } = await ctx.runtime.getSession("main");
  for (const after of [latestSequence + 1, latestSequence + 100]) {
    await expect(first(ctx, { sessionId: "main", after })).rejects.toMatchObject({
      code: "history_cursor_ahead",
      details: { latestSequence, cursor: after },
    });
  }
  const page = await ctx.runtime.history({ sessionId: "main", after: latestSequence + 1 });
  expect(page).toMatchObject({ events: [], hasMoreAfter: false, latestSequence });
  await expect(
    ctx.runtime.history({ sessionId: "main", after: latestSequence + 2 }),
  ).rejects.toMatchObject({ code: "history_cursor_ahead" });
});

test("a session that has nothing yet begins at 1", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "end_turn") });
  await ctx.open();
  expect(await ctx.runtime.history({ sessionId: "main" })).toEqual({
    events: [],
    hasMoreBefore: false,
    hasMoreAfter: false,
    oldestSequence: 1,
    latestSequence: 0,
  });
});

test("pages meet without a gap or a repeat, backwards and forwards, by type too", async () => {
  await using ctx = await talkedTo("main");
  for (let turn = 0; turn < 4; turn += 1) await ctx.prompt("go");
  const all = (await ctx.events()).map(({ sequence }) => sequence);
  const forwards: number[] = [];
  for (let after = 0; ; ) {
    const page = await ctx.runtime.history({ sessionId: "main", after, limit: 3 });
    forwards.push(...page.events.map(({ sequence }) => sequence));
    if (!page.hasMoreAfter) break;
    after = forwards.at(-1) ?? 0;
  }
  const backwards: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = await ctx.runtime.history({ sessionId: "main", before, limit: 3 });
    backwards.unshift(...page.events.map(({ sequence }) => sequence));
    if (!page.hasMoreBefore) break;
    before = backwards[0];
  }
  expect(forwards).toEqual(all);
  expect(backwards).toEqual(all);
  const types = ["user_message_chunk"];
  const page = await ctx.runtime.history({ sessionId: "main", limit: 2, types });
  expect(page.events.map(({ type }) => type)).toEqual([...types, ...types]);
  expect(page).toMatchObject({ hasMoreBefore: true, hasMoreAfter: false });
});
