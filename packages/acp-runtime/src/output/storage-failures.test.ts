/** A disk that is full for a while, by SQLite's own limit on the pages of a file. */
import type { Sqlite } from "@signalbox/db";
import { expect, test, vi } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import type { TestRuntime } from "../testing/test-runtime.ts";

const BIG = "x".repeat(400_000);
const NEVER = new AbortController().signal;

function withSqlite(ctx: TestRuntime, use: (sqlite: Sqlite) => void): Promise<void> {
  return ctx.deps.db.write(use);
}

const fill = (ctx: TestRuntime) =>
  withSqlite(ctx, (sqlite) => {
    const pages = Number(sqlite.pragma("page_count", { simple: true }));
    sqlite.pragma(`max_page_count = ${pages + 8}`);
  });

/** Again while it shares its transaction with a write that is refused. */
const empty = (ctx: TestRuntime) =>
  vi.waitFor(() =>
    withSqlite(ctx, (sqlite) => {
      sqlite.pragma("max_page_count = 1000000");
    }),
  );

const bigUpdate = { sessionUpdate: "tool_call", toolCallId: "big", title: BIG };

test("a turn whose output the disk refuses fails with the cause and loses none of it", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text !== "big") return "end_turn";
    await turn.say("before ");
    await turn.update(bigUpdate);
    await turn.say("after");
    await turn.untilCancelled();
    await empty(ctx);
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("small");
  const { promptId } = await ctx.submit("big");
  await fill(ctx);
  await expect(
    ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER),
  ).rejects.toMatchObject({ code: "storage_full" });
  const turn = (await ctx.events()).filter((event) => event.promptId === promptId);
  expect(turn.map((event) => event.type)).toEqual([
    "user_message_chunk",
    "agent_message_chunk",
    "tool_call",
    "agent_message_chunk",
    "_signalbox/turn_ended",
  ]);
  expect((await ctx.prompt("small")).stopReason).toBe("end_turn");
});

test("what the disk refused outside a turn is stored with the next write", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("small");
  await fill(ctx);
  await agent.voice(agent.sessionIds[0] ?? "").update(bigUpdate);
  await expect.poll(() => ctx.bugs).toMatchObject([{ code: "storage_full" }]);
  await empty(ctx);
  await ctx.prompt("small");
  const events = await ctx.events();
  expect(events.find((event) => event.type === "tool_call")).toMatchObject({ promptId: null });
  expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
});

test("an ordered stop ends every agent whatever the disk says", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.update(bigUpdate);
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 50 } });
  await ctx.open({ sessionId: "one" });
  await ctx.open({ sessionId: "two" });
  await fill(ctx);
  await ctx.submit("go", { sessionId: "one" });
  await agent.called("session/cancel");
  await ctx.runtime.close({ graceMs: 0 }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(AggregateError);
  });
  expect(agent.running).toBe(0);
  await empty(ctx);
});
