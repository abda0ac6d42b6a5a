/** Prompts that wait for the turn ahead: their order, their places and their ends. */
import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import type { Script } from "../testing/scripted-agent.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const QUEUE = { whenBusy: "queue" } as const;

/** Stays in a turn that says `stay`, fails one that says `fail`; tells the order of all. */
function staying(): { agent: ScriptedAgent; heard: string[] } {
  const heard: string[] = [];
  const capabilities = { sessionCapabilities: { resume: {} } };
  const script: Script = async (turn) => {
    heard.push(turn.text);
    if (turn.text.startsWith("stay")) await turn.untilCancelled();
    if (turn.text.startsWith("fail")) return "no reason";
    if (turn.text.startsWith("crash")) turn.crash();
    return "end_turn";
  };
  return { agent: scriptedAgent(script, { capabilities }), heard };
}

const resultOf = (ctx: TestRuntime, { promptId }: { promptId: string }) =>
  ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);

const cancel = (ctx: TestRuntime, { promptId }: { promptId: string }) =>
  ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);

const queuedIds = async (ctx: TestRuntime) =>
  (await ctx.runtime.getSession("main")).queuedPrompts.map(({ promptId }) => promptId);

async function eventsOf(ctx: TestRuntime, { promptId }: { promptId: string }) {
  return (await ctx.events()).filter((event) => event.promptId === promptId);
}

test("queued prompts have places from 1 and run in their order, each with its message at its start", async () => {
  const { agent, heard } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const running = await ctx.submit("stay");
  const queued = [];
  for (const text of ["one", "two", "three"]) queued.push(await ctx.submit(text, QUEUE));
  expect(await queuedIds(ctx)).toEqual(queued.map(({ promptId }) => promptId));
  const info = await ctx.runtime.getSession("main");
  expect(info.state).toMatchObject({ status: "running", promptId: running.promptId });
  for (const { queuedAt } of info.queuedPrompts) {
    expect(queuedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  const places = (await ctx.events()).filter((e) => e.type === "_signalbox/prompt_queued");
  expect(places).toMatchObject(
    queued.map(({ promptId, sequence }, index) => ({ promptId, sequence, position: index + 1 })),
  );
  await agent.called("session/prompt");
  await cancel(ctx, running);
  for (const prompt of queued) await resultOf(ctx, prompt);
  expect(heard).toEqual(["stay", "one", "two", "three"]);
  for (const prompt of queued) {
    expect((await eventsOf(ctx, prompt)).map(({ type }) => type)).toEqual([
      "_signalbox/prompt_queued",
      "user_message_chunk",
      "_signalbox/turn_ended",
    ]);
  }
  const order = (await ctx.events()).filter((e) => e.type.match(/user_message|turn_ended/));
  expect(order.map(({ promptId }) => promptId)).toEqual(
    [running, ...queued].flatMap(({ promptId }) => [promptId, promptId]),
  );
  expect(await queuedIds(ctx)).toEqual([]);
});

test("a full queue refuses with the limit, and takes again when a place is free", async () => {
  const { agent } = staying();
  await using ctx = await testRuntime({ agent, limits: { maxQueuedPromptsPerSession: 2 } });
  await ctx.open();
  await ctx.submit("stay");
  const first = await ctx.submit("one", QUEUE);
  await ctx.submit("two", QUEUE);
  const count = (await ctx.events()).length;
  for (const actual of [3, 3]) {
    await expect(ctx.submit("three", QUEUE)).rejects.toMatchObject({
      code: "limit_exceeded",
      details: { limit: "limits.acp.maxQueuedPromptsPerSession", max: 2, actual },
    });
  }
  expect(await ctx.events()).toHaveLength(count);
  await cancel(ctx, first);
  await ctx.submit("three", QUEUE);
});

test("of many prompts that come at once one runs, the queue's places are taken and the rest is refused", async () => {
  const { agent } = staying();
  await using ctx = await testRuntime({ agent, limits: { maxQueuedPromptsPerSession: 5 } });
  await ctx.open();
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => ctx.submit("stay", QUEUE)),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  for (const attempt of tries) {
    if (attempt.status === "rejected") {
      expect(attempt.reason).toMatchObject({ code: "limit_exceeded" });
    }
  }
  const places = (await ctx.events()).filter((e) => e.type === "_signalbox/prompt_queued");
  expect(places.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  await ctx.runtime.unloadSession("main", OPERATOR);
});

test("a queued prompt that is cancelled ends without a message of the user, and never reaches the agent", async () => {
  const { agent, heard } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const running = await ctx.submit("stay");
  const first = await ctx.submit("one", QUEUE);
  const second = await ctx.submit("two", QUEUE);
  expect(await cancel(ctx, first)).toEqual({ status: "cancelled" });
  expect(await resultOf(ctx, first)).toEqual({
    sessionId: "main",
    promptId: first.promptId,
    message: null,
    stopReason: "cancelled",
  });
  expect(await eventsOf(ctx, first)).toMatchObject([
    { type: "_signalbox/prompt_queued", position: 1 },
    { type: "_signalbox/turn_ended", stopReason: "cancelled", openToolCalls: [] },
  ]);
  expect(await cancel(ctx, first)).toEqual({ status: "no_active_prompt" });
  await agent.called("session/prompt");
  await cancel(ctx, running);
  await resultOf(ctx, second);
  expect(heard).toEqual(["stay", "two"]);
});

test("a cancel without a prompt's id is for the running one only", async () => {
  const { agent, heard } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("stay");
  const queued = await ctx.submit("stay too", QUEUE);
  await agent.called("session/prompt");
  const running = { sessionId: "main", promptId: undefined, wait: true };
  expect(await ctx.runtime.cancelPrompt(running, OPERATOR, NEVER)).toEqual({ status: "cancelled" });
  await agent.called("session/prompt", 2);
  expect(heard).toEqual(["stay", "stay too"]);
  await cancel(ctx, queued);
  expect(await ctx.runtime.cancelPrompt(running, OPERATOR, NEVER)).toEqual({
    status: "no_active_prompt",
  });
});

test.each(["fail", "crash", "go"])("the queue goes on after a turn that says %s", async (text) => {
  const { agent, heard } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const [first, second] = await Promise.all([ctx.submit(text), ctx.submit("next", QUEUE)]);
  await resultOf(ctx, first).catch(() => undefined);
  expect((await resultOf(ctx, second)).stopReason).toBe("end_turn");
  expect(heard).toEqual([text, "next"]);
});

test("an unload cancels what runs and what waits, each with its end, and what comes after runs", async () => {
  const { agent } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const all = [await ctx.submit("stay")];
  for (const text of ["one", "two"]) all.push(await ctx.submit(text, QUEUE));
  await agent.called("session/prompt");
  const results = all.map((prompt) => resultOf(ctx, prompt));
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect(await Promise.all(results)).toMatchObject(all.map(() => ({ stopReason: "cancelled" })));
  const ends = (await ctx.events()).filter((e) => e.type === "_signalbox/turn_ended");
  expect(new Set(ends.map(({ promptId }) => promptId))).toEqual(
    new Set(all.map(({ promptId }) => promptId)),
  );
  expect(ends).toHaveLength(3);
  expect((await ctx.runtime.getSession("main")).state).toEqual({ status: "idle" });
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
});

test("a delete ends what runs and what waits; a follower sees each end before the session is gone", async () => {
  const { agent } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const all = [await ctx.submit("stay"), await ctx.submit("one", QUEUE)];
  await agent.called("session/prompt");
  const ended: unknown[] = [];
  const from = { sessionId: "main", after: 0, lastEventId: null };
  const following = (async () => {
    for await (const { event } of ctx.runtime.followSession(from, NEVER)) {
      if (event.type === "_signalbox/turn_ended") ended.push(event.promptId);
    }
  })();
  const gone = expect(following).rejects.toMatchObject({ code: "session_not_found" });
  await ctx.runtime.deleteSession("main", OPERATOR);
  await gone;
  expect(new Set(ended)).toEqual(new Set(all.map(({ promptId }) => promptId)));
  await expect(resultOf(ctx, { promptId: all[1]?.promptId ?? "" })).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("a stop leaves queued prompts queued, and the next start runs them in order, each once", async () => {
  const { agent, heard } = staying();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("stay");
  const queued = [await ctx.submit("one", QUEUE), await ctx.submit("two", QUEUE)];
  await agent.called("session/prompt");
  await ctx.runtime.close({ graceMs: 0 });
  expect(heard).toEqual(["stay"]);
  await using after = await ctx.afterCrash();
  expect(await queuedIds(after)).toEqual(queued.map(({ promptId }) => promptId));
  await after.startQueuedPrompts();
  for (const prompt of queued) {
    expect((await resultOf(after, prompt)).stopReason).toBe("end_turn");
  }
  expect(heard).toEqual(["stay", "one", "two"]);
});
