/** One key is one turn, however often and whenever it is asked for. */
import { AppError, type PromptInput } from "@signalbox/protocol";
import { expect, test } from "vitest";
import {
  ScriptedFailure,
  type ScriptedTurn,
  scriptedAgent,
  testRuntime,
} from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const KEYED = { idempotencyKey: "k" };

/** The error of a call, with all that a caller sees of it. */
async function failureOf(call: Promise<unknown>): Promise<object> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error instanceof AppError ? { message: error.message, ...error.toData() } : {};
}

async function exiting(turn: ScriptedTurn): Promise<string> {
  turn.crash({ code: 3 });
  return "end_turn";
}

const speaking = (finish: (turn: ScriptedTurn) => Promise<string>) =>
  scriptedAgent(async (turn) => {
    await turn.say(`heard ${turn.text}`);
    return finish(turn);
  });

const cancel = (ctx: TestRuntime, promptId: string) =>
  ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);

test("a retry during the turn waits for it; one after it gets the same result", async () => {
  let finish = (): void => {};
  const agent = speaking(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const first = ctx.prompt("go", KEYED);
  await agent.called("session/prompt");
  const during = ctx.prompt("go", KEYED);
  const { promptId, repeated } = await ctx.submit("go", KEYED);
  expect(repeated).toBe(true);
  const target = { sessionId: "main", promptId };
  expect(await ctx.runtime.awaitPrompt(target, 0, NEVER)).toEqual({ pending: true });
  finish();
  const result = await first;
  expect(await during).toEqual(result);
  expect(await ctx.prompt("go", KEYED)).toEqual(result);
  expect(await ctx.runtime.awaitPrompt(target, 0, NEVER)).toEqual(result);
  expect(agent.callsOf("session/prompt")).toHaveLength(1);
});

test("a retry after a restart gets the result of the turn before it, without an agent", async () => {
  const agent = speaking(async () => "max_tokens");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const result = await ctx.prompt("go", KEYED);
  await using after = await ctx.afterCrash();
  expect(await after.prompt("go", KEYED)).toEqual(result);
  expect(agent.launches).toHaveLength(1);
});

test.each([
  [
    "an error of the agent",
    async () => Promise.reject(new ScriptedFailure(-32603, "no", { a: 1 })),
  ],
  ["an exit", exiting],
  ["an unknown stop reason", async () => "because"],
])("a retry after %s gets the same typed error, after a restart too", async (_name, finish) => {
  const agent = speaking(finish);
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const failure = await failureOf(ctx.prompt("go", KEYED));
  expect(failure).toMatchObject({ details: { delivery: "uncertain" } });
  expect(await failureOf(ctx.prompt("go", KEYED))).toEqual(failure);
  await using after = await ctx.afterCrash();
  expect(await failureOf(after.prompt("go", KEYED))).toEqual(failure);
  expect(agent.callsOf("session/prompt")).toHaveLength(1);
});

test("a retry after a cancel is cancelled", async () => {
  const agent = speaking(async (turn) => {
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go", KEYED);
  await agent.called("session/prompt");
  await cancel(ctx, promptId);
  const result = await ctx.prompt("go", KEYED);
  expect(result).toMatchObject({ promptId, stopReason: "cancelled" });
  expect(agent.callsOf("session/prompt")).toHaveLength(1);
});

test("other content under a key is a conflict while the turn runs, after it and after a restart", async () => {
  const agent = speaking(async (turn) => {
    if (turn.text === "go") await turn.untilCancelled();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go", KEYED);
  const conflict = { code: "idempotency_conflict", details: { sessionId: "main", promptId } };
  const other: Partial<PromptInput> = { ...KEYED, whenBusy: "queue" };
  await expect(ctx.submit("other", other)).rejects.toMatchObject(conflict);
  await agent.called("session/prompt");
  await cancel(ctx, promptId);
  await expect(ctx.submit("other", other)).rejects.toMatchObject(conflict);
  await using after = await ctx.afterCrash();
  await expect(after.submit("other", other)).rejects.toMatchObject(conflict);
});

test("whenBusy and the order of a block's members are not content; a member more is", async () => {
  const agent = speaking(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const submit = (block: object, input: Partial<PromptInput> = {}) =>
    ctx.submit("", { ...KEYED, content: [block], ...input });
  const first = await submit({ type: "text", text: "go" });
  for (const whenBusy of ["queue", "reject"] as const) {
    const again = await submit({ text: "go", type: "text" }, { whenBusy });
    expect(again).toEqual({ ...first, repeated: true });
  }
  await expect(
    submit({ type: "text", text: "go", annotations: { priority: 1 } }),
  ).rejects.toMatchObject({ code: "idempotency_conflict" });
});

test("a key is one prompt in its session and another one in another session", async () => {
  const agent = speaking(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.open({ sessionId: "other" });
  await ctx.prompt("go", KEYED);
  await ctx.prompt("else", { ...KEYED, sessionId: "other" });
  expect(agent.callsOf("session/prompt")).toHaveLength(2);
});

test("what is refused before its acceptance binds no key", async () => {
  const agent = speaking(async (turn) => {
    if (turn.text === "stay") await turn.untilCancelled();
    return "end_turn";
  });
  await using ctx = await testRuntime({
    agent,
    limits: { maxPromptBytes: 100, maxQueuedPromptsPerSession: 0 },
  });
  await ctx.open();
  const running = await ctx.submit("stay");
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const refusals: [string, Partial<PromptInput>, string][] = [
    ["x".repeat(200), {}, "prompt_too_large"],
    ["", { content: [] }, "bad_request"],
    ["", { content: [{ type: "poem" }] }, "invalid_content_block"],
    ["", { content: [image] }, "unsupported_content"],
    ["busy", {}, "session_busy"],
    ["full", { whenBusy: "queue" }, "limit_exceeded"],
    ["elsewhere", { sessionId: "nowhere" }, "session_not_found"],
  ];
  for (const [text, input, code] of refusals) {
    await expect(ctx.submit(text, { ...KEYED, ...input }), code).rejects.toMatchObject({ code });
  }
  await agent.called("session/prompt");
  await cancel(ctx, running.promptId);
  expect(await ctx.prompt("now", KEYED)).toMatchObject({
    message: { content: [{ text: "heard now" }] },
  });
});

test("a key has 1 to 256 bytes of UTF-8", async () => {
  const agent = speaking(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (const idempotencyKey of ["x", "x".repeat(256), "é".repeat(128)]) {
    expect((await ctx.prompt("go", { idempotencyKey })).stopReason).toBe("end_turn");
  }
  for (const [idempotencyKey, actual] of [
    ["", 0],
    ["x".repeat(257), 257],
    [`${"é".repeat(128)}x`, 257],
    ["é".repeat(5_000), 10_000],
  ] as const) {
    await expect(ctx.submit("go", { idempotencyKey })).rejects.toMatchObject({
      code: "invalid_idempotency_key",
      details: { max: 256, actual },
    });
  }
});

test("the content of a prompt that failed before it was sent runs under a new key", async () => {
  let isBroken = true;
  const agent = scriptedAgent(async () => "end_turn", {
    handle: {
      initialize: () => {
        if (isBroken && agent.launches.length > 1) throw new ScriptedFailure(-32603, "not now");
        return { protocolVersion: 1 };
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  const failure = await failureOf(ctx.prompt("go", KEYED));
  expect(failure).toMatchObject({ details: { delivery: "never" } });
  isBroken = false;
  expect(await failureOf(ctx.prompt("go", KEYED))).toEqual(failure);
  expect((await ctx.prompt("go", { idempotencyKey: "k2" })).stopReason).toBe("end_turn");
});
