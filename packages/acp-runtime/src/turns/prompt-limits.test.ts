/** Limits of what goes in and what comes out: at the limit, one above, and far above. */
import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import type { TestRuntime, TestRuntimeOptions } from "../testing/test-runtime.ts";

type Limits = NonNullable<TestRuntimeOptions["limits"]>;

const block = (text: string) => ({ type: "text", text });

async function opened(agent: ScriptedAgent, limits: Limits): Promise<TestRuntime> {
  const ctx = await testRuntime({ agent, limits: { cancelGraceMs: 50, ...limits } });
  await ctx.open();
  return ctx;
}

test("maxPromptBytes counts the content's JSON in UTF-8, at the limit, above and far above", async () => {
  const empty = Buffer.byteLength(JSON.stringify([block("")]));
  const max = empty + 100;
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await opened(agent, { maxPromptBytes: max });
  for (const text of ["x".repeat(100), "é".repeat(50)]) {
    expect((await ctx.prompt(text)).stopReason).toBe("end_turn");
  }
  const before = (await ctx.events()).length;
  for (const [text, actual] of [
    ["x".repeat(101), max + 1],
    [`${"é".repeat(50)}x`, max + 1],
    ["x".repeat(100_000), empty + 100_000],
  ] as const) {
    await expect(ctx.submit(text)).rejects.toMatchObject({
      code: "prompt_too_large",
      details: { limit: "limits.acp.maxPromptBytes", max, actual },
    });
  }
  expect(await ctx.events()).toHaveLength(before);
});

test("maxPromptBlocks counts blocks, at the limit, above and far above", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await opened(agent, { maxPromptBlocks: 3 });
  const blocks = (count: number) => Array.from({ length: count }, () => block("x"));
  expect((await ctx.prompt("", { content: blocks(3) })).stopReason).toBe("end_turn");
  expect((await ctx.types()).filter((type) => type === "user_message_chunk")).toHaveLength(3);
  for (const actual of [4, 3_000]) {
    await expect(ctx.submit("", { content: blocks(actual) })).rejects.toMatchObject({
      code: "prompt_too_large",
      details: { limit: "limits.acp.maxPromptBlocks", max: 3, actual },
    });
  }
});

/** Says so many bytes in pieces, then stays until it is cancelled if it says too much. */
const talking = () =>
  scriptedAgent(async (turn) => {
    const [bytes = 0, piece = 100] = turn.text.split(" ").map(Number);
    for (let said = 0; said < bytes; said += piece) {
      await turn.say("x".repeat(Math.min(piece, bytes - said)));
    }
    return "end_turn";
  });

test("maxMessageBytes is what one message may have; above it the turn fails with the limit", async () => {
  await using ctx = await opened(talking(), { maxMessageBytes: 1_000 });
  const { message } = await ctx.prompt("1000");
  expect(message?.content).toEqual([block("x".repeat(1_000))]);
  for (const [text, actual] of [
    ["1001", 1_001],
    ["50000 50000", 50_000],
  ] as const) {
    await expect(ctx.prompt(text)).rejects.toMatchObject({
      code: "limit_exceeded",
      details: {
        limit: "limits.acp.maxMessageBytes",
        max: 1_000,
        actual,
        delivery: "uncertain",
      },
    });
  }
  expect((await ctx.prompt("10")).stopReason).toBe("end_turn");
});

test("maxTurnOutputBytes is what one turn may say; above it the turn fails and the agent is told", async () => {
  const update = (length: number) =>
    JSON.stringify({ sessionUpdate: "tool_call", toolCallId: "a", title: "x".repeat(length) });
  const max = 10 * Buffer.byteLength(update(100));
  const agent = scriptedAgent(async (turn) => {
    for (let count = 0; count < Number(turn.text); count += 1) await turn.updateText(update(100));
    if (Number(turn.text) > 10) await turn.untilCancelled();
    return "end_turn";
  });
  await using ctx = await opened(agent, { maxTurnOutputBytes: max, maxMessageBytes: max });
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await ctx.prompt("10")).stopReason).toBe("end_turn");
  }
  await expect(ctx.prompt("11")).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxTurnOutputBytes", max, actual: (max / 10) * 11 },
  });
  await expect(ctx.prompt("1000")).rejects.toMatchObject({ code: "limit_exceeded" });
  expect(agent.callsOf("session/cancel")).toHaveLength(2);
  expect((await ctx.prompt("1")).stopReason).toBe("end_turn");
});

test("an agent that talks on over the limit of its turn is stopped after the grace", async () => {
  const agent: ScriptedAgent = scriptedAgent(async (turn) => {
    while (agent.running > 0) {
      await turn.say("x".repeat(1_000));
      await new Promise(setImmediate);
    }
    return "end_turn";
  });
  await using ctx = await opened(agent, { maxTurnOutputBytes: 5_000, maxMessageBytes: 5_000 });
  await expect(ctx.prompt("go")).rejects.toMatchObject({ code: "limit_exceeded" });
  await expect.poll(() => agent.running).toBe(0);
  expect(await ctx.types()).toContain("agent_message_chunk");
});

test("maxLineBytes is what one line may have; above it the turn fails and the next one runs", async () => {
  const line = (length: number) => {
    const update = { sessionUpdate: "tool_call", toolCallId: "a", title: "" };
    const params = { sessionId: "agent-session-1", update };
    const text = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params });
    update.title = "x".repeat(length - text.length);
    return JSON.stringify({ jsonrpc: "2.0", method: "session/update", params });
  };
  const agent = scriptedAgent(
    async (turn) => {
      await turn.line(line(Number(turn.text)));
      return "end_turn";
    },
    { capabilities: { sessionCapabilities: { resume: {} } } },
  );
  await using ctx = await opened(agent, { maxLineBytes: 4_096, maxPromptBytes: 1_024 });
  expect((await ctx.prompt("4096")).stopReason).toBe("end_turn");
  for (const length of [4_097, 1_000_000]) {
    const failure = await ctx.prompt(String(length)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "limit_exceeded",
      details: { limit: "limits.acp.maxLineBytes", max: 4_096, actual: expect.any(Number) },
    });
  }
  expect((await ctx.prompt("200")).stopReason).toBe("end_turn");
  expect((await ctx.types()).filter((type) => type === "tool_call")).toHaveLength(2);
});
