import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const talking = () =>
  scriptedAgent(async (turn) => {
    await turn.think(`pondering ${turn.text}`);
    await turn.update({
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: `Reading ${turn.text}`,
      rawOutput: "unsearched",
    });
    await turn.say(`Über ${turn.text}: done`);
    return "end_turn";
  });

const find = async (ctx: TestRuntime, query: string, sessionId?: string) =>
  (await ctx.runtime.search({ query, sessionId })).hits;

test("messages, thoughts, tool titles and prompts are found, newest first, with their place", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.prompt("invoices");
  const hits = await find(ctx, "invoices");
  expect(hits.map(({ type, sequence }) => [sequence, type])).toEqual([
    [4, "agent_message_chunk"],
    [3, "tool_call"],
    [2, "agent_thought_chunk"],
    [1, "user_message_chunk"],
  ]);
  expect(hits[0]).toEqual({
    sessionId: "main",
    sequence: 4,
    timestamp: expect.stringMatching(/Z$/),
    type: "agent_message_chunk",
    snippet: "Über invoices: done",
  });
  expect(await find(ctx, "unsearched")).toEqual([]);
});

test("every word counts, the last one from its beginning, without case and accents", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.prompt("the Invoices of March");
  const counts = async (query: string) => (await find(ctx, query)).length;
  expect(await counts("invoices march")).toBe(4);
  expect(await counts("march INVO")).toBe(4);
  expect(await counts("invo march")).toBe(0);
  expect(await counts("uber")).toBe(1);
  expect(await counts("april invoices")).toBe(0);
});

test.each(["東京", "京の天気", "天気"])(
  "words of scripts without spaces are found: %s",
  async (query) => {
    await using ctx = await testRuntime({ agent: talking() });
    await ctx.open();
    await ctx.prompt("東京の天気はどうですか");
    expect(await find(ctx, query)).toHaveLength(4);
  },
);

test("characters of a script without spaces count in their order", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.prompt("京東");
  expect(await find(ctx, "東京")).toEqual([]);
  expect(await find(ctx, "京東")).toHaveLength(4);
});

test.each([
  [1, "abc"],
  [1, ""],
  [1.5, "1"],
  [-1, "1"],
  [1, "-4"],
  [1, "1e300"],
])("a cursor that no page gave is refused: %j %j", async (sequence, id) => {
  await using ctx = await testRuntime({ agent: talking() });
  const text = JSON.stringify(["sessions.search", sequence, id]);
  const cursor = Buffer.from(text).toString("base64url");
  await expect(ctx.runtime.search({ query: "q", cursor })).rejects.toMatchObject({
    code: "invalid_list_cursor",
    details: { field: "cursor" },
  });
});

test("large texts make short pages, and every one of them is found", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(`${"filler ".repeat(140_000)}needle`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (let turn = 0; turn < 5; turn += 1) await ctx.prompt("go");
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await ctx.runtime.search({ query: "needle", cursor });
    for (const { snippet } of page.hits) expect(snippet).toMatch(/filler needle$/);
    sizes.push(page.hits.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(sizes).toEqual([3, 2]);
});

test.each([
  'alpha" OR "beta',
  "alpha NOT beta",
  "text:alpha",
  "alpha NEAR beta",
  "alpha* beta*",
  "-alpha +beta ^beta",
  "{alpha beta}",
  "alpha \u0000 beta",
  "'; DROP TABLE Event; -- alpha beta",
])("nothing of the index's own language is in a query: %j", async (query) => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  await ctx.prompt("alpha beta");
  await ctx.prompt("alpha alone");
  const words = query.match(/[a-z]+/gi)?.map((word) => word.toLowerCase()) ?? [];
  const expected = words.every((word) => ["alpha", "beta"].includes(word)) ? 4 : 0;
  expect(await find(ctx, query)).toHaveLength(expected);
  expect(await ctx.deps.db.prisma.event.count()).toBe(10);
});

test.each(["", "   ", "?!", "…—"])("a query without a word is refused: %j", async (query) => {
  await using ctx = await testRuntime({ agent: talking() });
  await expect(find(ctx, query)).rejects.toMatchObject({
    code: "bad_request",
    details: { field: "query" },
  });
});

test("a query has at most 1,000 characters and 32 words", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  const words = (count: number) => Array.from({ length: count }, () => "w").join(" ");
  expect(await find(ctx, words(32))).toEqual([]);
  expect(await find(ctx, "x".repeat(1_000))).toEqual([]);
  await expect(find(ctx, words(33))).rejects.toMatchObject({ details: { max: 32, actual: 33 } });
  await expect(find(ctx, "x".repeat(1_001))).rejects.toMatchObject({
    details: { field: "query", max: 1_000, actual: 1_001 },
  });
});

test("pages go on where the one before ended, though more is said meanwhile", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  for (const sessionId of ["a", "b"]) {
    await ctx.open({ sessionId });
    for (let turn = 0; turn < 3; turn += 1) await ctx.prompt("needle", { sessionId });
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ctx.runtime.search({ query: "needle", cursor, limit: 5 });
    seen.push(...page.hits.map((hit) => `${hit.sessionId} ${hit.sequence}`));
    cursor = page.nextCursor ?? undefined;
    if (seen.length === 5) await ctx.prompt("needle", { sessionId: "b" });
  } while (cursor !== undefined);
  expect(seen).toHaveLength(24);
  expect(new Set(seen).size).toBe(24);
  expect((await find(ctx, "needle", "a")).every(({ sessionId }) => sessionId === "a")).toBe(true);
  for (const bad of ["x", ""]) {
    await expect(ctx.runtime.search({ query: "q", cursor: bad })).rejects.toMatchObject({
      code: "invalid_list_cursor",
    });
  }
  await expect(ctx.runtime.search({ query: "q", limit: 0 })).rejects.toMatchObject({
    code: "list_limit",
  });
  await expect(find(ctx, "q", "nobody")).rejects.toMatchObject({ code: "session_not_found" });
});

test("what was deleted or cut from history is not found, and a reopened id finds its own", async () => {
  await using ctx = await testRuntime({
    agent: talking(),
    limits: { maxSessionHistoryEvents: 10 },
  });
  await ctx.open();
  await ctx.prompt("first");
  for (let turn = 0; turn < 3; turn += 1) await ctx.prompt("later");
  await expect.poll(() => find(ctx, "first")).toEqual([]);
  const hits = await find(ctx, "later");
  expect(hits.length).toBeGreaterThan(4);
  const { oldestSequence } = await ctx.runtime.history({ sessionId: "main" });
  for (const { sequence } of hits) expect(sequence).toBeGreaterThanOrEqual(oldestSequence);
  await ctx.runtime.deleteSession("main", OPERATOR);
  expect(await find(ctx, "later")).toEqual([]);
  await ctx.open();
  await ctx.prompt("again");
  expect(await find(ctx, "again")).toHaveLength(4);
});

test("an event that is not stored is not found, and a stored one at once", async () => {
  await using ctx = await testRuntime({ agent: talking() });
  await ctx.open();
  const failing = ctx.deps.db.write((sqlite) => {
    sqlite.exec("INSERT INTO Search (rowid, text) VALUES (1, 'phantom')");
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  expect(await find(ctx, "phantom")).toEqual([]);
  const { promptId } = await ctx.submit("immediate");
  expect((await find(ctx, "immediate")).length).toBeGreaterThan(0);
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, new AbortController().signal);
});

test("a recovered message is found", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("spoken before the kill");
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  await expect.poll(() => ctx.deps.db.prisma.openMessage.count()).toBe(1);
  await using after = await ctx.afterCrash();
  expect(await find(after, "spoken")).toMatchObject([{ type: "agent_message_chunk" }]);
});

test("a snippet is one short line around the word", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(`${"before ".repeat(300)}\n\u001b[31mNadel\u0007\n${"after ".repeat(300)}`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  const [hit] = await find(ctx, "nadel");
  expect(hit?.snippet).toMatch(/^….*Nadel.*…$/);
  expect(hit?.snippet).not.toMatch(/\p{Cc}/u);
  expect(hit?.snippet.length).toBeLessThanOrEqual(165);
});
