/** What a delete takes away, what it leaves, and what an id is worth after it. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const talking = () =>
  scriptedAgent(async (turn) => {
    await turn.say(`heard ${turn.text}`);
    if (turn.text === "ask") await turn.askPermission({ title: "may I" });
    return "end_turn";
  });

/** How many rows of a session each table has. */
function rowsOf(ctx: TestRuntime, sessionId: string): Promise<Record<string, number>> {
  return ctx.deps.db.read((sqlite) => {
    const tables = sqlite
      .prepare(
        `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name = 'sessionId'`,
      )
      .pluck()
      .all();
    const counts = tables.map((table) => [
      table,
      sqlite
        .prepare(`SELECT count(*) FROM "${String(table)}" WHERE sessionId = ?`)
        .pluck()
        .get(sessionId),
    ]);
    return Object.fromEntries(counts.filter(([, count]) => count !== 0));
  });
}

async function asked(ctx: TestRuntime): Promise<string> {
  await ctx.submit("ask");
  const pending = async () => (await ctx.runtime.pendingPermissions({})).requests;
  await expect.poll(async () => (await pending()).length).toBe(1);
  return (await pending())[0]?.requestId ?? "";
}

test("a delete leaves a tombstone, the audit log and sums; nothing else of the session", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open({ permissionPolicy: "ask", env: { API_KEY: "secret-of-the-session" } });
  await ctx.prompt("hello");
  const requestId = await asked(ctx);
  const before = await rowsOf(ctx, "main");
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["Event", "Permission", "Prompt"]));
  const sequences: number[] = [];
  const from = { sessionId: "main", after: 0, lastEventId: null };
  const following = (async () => {
    for await (const { event } of ctx.runtime.followSession(from, NEVER)) {
      if (event.durability === "durable") sequences.push(event.sequence);
    }
  })();
  const gone = expect(following).rejects.toMatchObject({ code: "session_not_found" });
  await ctx.runtime.deleteSession("main", OPERATOR);
  await gone;
  const after = await rowsOf(ctx, "main");
  const left = ["Audit", "PermissionTombstone", "Tombstone", "UsageRollup"];
  expect(Object.keys(after).sort()).toEqual(left);
  const tombstones = await ctx.deps.db.prisma.tombstone.findMany();
  expect(tombstones).toMatchObject([{ sessionId: "main", lastSequence: sequences.at(-1) }]);
  const audit = await ctx.deps.db.prisma.audit.findMany({ where: { action: "sessions.delete" } });
  expect(audit).toMatchObject([{ sessionId: "main", actorName: "test", outcome: "ok" }]);
  const late = { sessionId: "main", requestId, optionId: "allow" };
  expect(await ctx.runtime.respondToPermission(late, OPERATOR)).toMatchObject({
    status: "not_pending",
    reason: "session_deleted",
  });
});

test("a delete that the database refuses takes nothing away, and can be made again", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.prompt("hello");
  const events = await ctx.events();
  await ctx.deps.db.write((sqlite) => {
    sqlite.exec(
      `CREATE TEMP TRIGGER refuses BEFORE DELETE ON main.Session
       BEGIN SELECT RAISE(ABORT, 'not yet'); END`,
    );
  });
  await expect(ctx.runtime.deleteSession("main", OPERATOR)).rejects.toThrow("not yet");
  expect(await ctx.events()).toEqual(events);
  expect(await ctx.deps.db.prisma.tombstone.count()).toBe(0);
  await ctx.deps.db.write((sqlite) => {
    sqlite.exec("DROP TRIGGER refuses");
  });
  expect((await ctx.prompt("again")).stopReason).toBe("end_turn");
  await ctx.runtime.deleteSession("main", OPERATOR);
  await expect(ctx.events()).rejects.toMatchObject({ code: "session_not_found" });
});

test("an id opened again counts on, knows nothing of before, and takes no cursor or key of it", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open({ additionalInstructions: "Be brief." });
  const first = await ctx.prompt("hello", { idempotencyKey: "k" });
  let cursor = "";
  const from = { sessionId: "main", after: 0, lastEventId: null };
  for await (const item of ctx.runtime.followSession(from, NEVER)) {
    cursor = item.cursor;
    if (item.event.type === "_signalbox/turn_ended") break;
  }
  const last = (await ctx.events()).at(-1)?.sequence ?? 0;
  for (let round = 1; round <= 3; round += 1) {
    await ctx.runtime.deleteSession("main", OPERATOR);
    await ctx.open();
    expect(await ctx.events()).toEqual([]);
    const { promptId } = await ctx.prompt("hello", { idempotencyKey: "k" });
    expect(promptId).not.toBe(first.promptId);
    const events = await ctx.events();
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map((_, index) => last + 3 * (round - 1) + index + 1),
    );
    const old = { ...from, after: undefined, lastEventId: cursor };
    await expect(ctx.runtime.followSession(old, NEVER).next()).rejects.toMatchObject({
      code: "history_cursor_expired",
    });
    await expect(ctx.runtime.history({ sessionId: "main", after: 1 })).rejects.toMatchObject({
      code: "history_cursor_expired",
    });
    const prompt = { sessionId: "main", promptId: first.promptId };
    await expect(ctx.runtime.awaitPrompt(prompt, 0, NEVER)).rejects.toMatchObject({
      code: "prompt_not_found",
    });
  }
});

test("a delete of what is gone, or never was, is a success and is not in the audit log", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await Promise.all([1, 2, 3].map(() => ctx.runtime.deleteSession("main", OPERATOR)));
  await ctx.runtime.deleteSession("nobody", OPERATOR);
  expect(await ctx.deps.db.prisma.audit.count({ where: { action: "sessions.delete" } })).toBe(1);
});
