/** The finer rules of questions: outside turns, over the limit, withdrawn, malformed, completed. */
import type { JsonObject, JsonValue } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { complaints } from "../testing/acp-schema.ts";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import {
  answer,
  answered,
  curious,
  form,
  lastWords,
  link,
  pendingQuestions,
  theQuestion,
} from "../testing/questions.ts";
import type { ScriptedVoice } from "../testing/scripted-agent.ts";
import { OPERATOR } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const RESUMABLE = { capabilities: { sessionCapabilities: { resume: {} } } };

test("a question outside a turn has no prompt, and a new prompt runs beside it", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const voice = agent.voice(String(agent.sessionIds[0]));
  const heard = voice.requestRaw("elicitation/create", form(voice));
  const question = await theQuestion(ctx);
  expect(question.promptId).toBeNull();
  expect((await ctx.runtime.getSession("main")).state).toMatchObject({
    status: "waiting",
    promptId: null,
  });
  expect((await ctx.prompt("beside it")).stopReason).toBe("end_turn");
  expect(await pendingQuestions(ctx)).toEqual([question]);
  expect(await answer(ctx, question, "decline")).toEqual({ status: "accepted" });
  expect(await heard).toEqual({ result: { action: "decline" } });
});

test("lists of sessions tell one with a question as waiting, and no other", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open({ sessionId: "asks" });
  await ctx.open({ sessionId: "rests" });
  await ctx.submit("go", { sessionId: "asks" });
  await theQuestion(ctx);
  const listed = async (status: "waiting" | "running" | "idle") =>
    (await ctx.runtime.listSessions({ status })).sessions.map(({ sessionId }) => sessionId);
  expect(await listed("waiting")).toEqual(["asks"]);
  expect(await listed("running")).toEqual([]);
  expect(await listed("idle")).toEqual(["rests"]);
});

test("a session with a question is not unloaded for being idle, nor to make room", async () => {
  const agent = scriptedAgent(async () => "end_turn", RESUMABLE);
  await using ctx = await testRuntime({ agent, limits: { idleUnloadMs: 5, maxLiveAdapters: 1 } });
  await ctx.open();
  const voice = agent.voice(String(agent.sessionIds[0]));
  const heard = voice.requestRaw("elicitation/create", form(voice));
  const question = await theQuestion(ctx);
  await expect(ctx.open({ sessionId: "other" })).rejects.toMatchObject({ code: "limit_exceeded" });
  expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
  await answer(ctx, question, "cancel");
  expect(await heard).toEqual({ result: { action: "cancel" } });
  await ctx.open({ sessionId: "other" });
});

test("permissions and questions share one limit; what is over it is answered cancel and says so", async () => {
  const agent = scriptedAgent(async (turn) => {
    const permission = turn.askPermission({ title: "t" });
    const asks = [0, 1].map(() => turn.requestRaw("elicitation/create", form(turn)));
    const [first, second] = await Promise.all(asks);
    await permission;
    await turn.say(JSON.stringify([first, second]));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { maxPendingPermissionsPerSession: 2 } });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  await expect.poll(() => ctx.types()).toContain("_signalbox/question_unsatisfied");
  expect(await pendingQuestions(ctx)).toEqual([question]);
  await answer(ctx, question, "decline");
  const [permission] = (await ctx.runtime.pendingPermissions({})).requests;
  const allow = { sessionId: "main", requestId: String(permission?.requestId), optionId: "allow" };
  await ctx.runtime.respondToPermission(allow, OPERATOR);
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(await lastWords(ctx)).toBe(
    JSON.stringify([{ result: { action: "decline" } }, { result: { action: "cancel" } }]),
  );
  const events = await ctx.events();
  expect(events.find(({ type }) => type === "_signalbox/question_unsatisfied")).toMatchObject({
    promptId,
    message: "Who is it?",
    mode: "form",
    error: {
      code: "limit_exceeded",
      details: { limit: "limits.acp.maxPendingPermissionsPerSession", max: 2, actual: 3 },
    },
  });
});

test("a question that the agent takes back is over, with one response in history", async () => {
  const agent = scriptedAgent(async (turn) => {
    const heard = turn.requestRaw("elicitation/create", form(turn));
    await theQuestion(ctx);
    await turn.notifyRaw("$/cancel_request", { requestId: "agent-1" });
    await turn.say(JSON.stringify(await heard));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  expect(await lastWords(ctx)).toBe(JSON.stringify({ result: { action: "cancel" } }));
  expect(await answered(ctx)).toMatchObject([{ action: "cancel", reason: "prompt_cancelled" }]);
});

test("a question asked after the turn was cancelled is answered cancel and leaves no trace", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    heard.push(await turn.requestRaw("elicitation/create", form(turn)));
    return "cancelled";
  });
  const heard: unknown[] = [];
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  expect(heard).toEqual([{ result: { action: "cancel" } }]);
  expect(await ctx.types()).not.toContain("_signalbox/question_request");
});

test.each<[string, (good: JsonObject, voice: ScriptedVoice) => JsonValue]>([
  ["no params", () => null],
  ["no message", ({ message: _message, ...rest }) => rest],
  ["no session", ({ sessionId: _sessionId, ...rest }) => rest],
  ["no mode", ({ mode: _mode, ...rest }) => rest],
  ["a mode that was not offered", (good) => ({ ...good, mode: "voice" })],
  ["no schema", ({ requestedSchema: _schema, ...rest }) => rest],
  ["a schema that is text", (good) => ({ ...good, requestedSchema: "{}" })],
  ["properties in a list", (good) => ({ ...good, requestedSchema: { properties: [] } })],
  ["a field without a type", (good) => ({ ...good, requestedSchema: { properties: { a: {} } } })],
  [
    "a required field that is not asked",
    (good) => ({ ...good, requestedSchema: { properties: {}, required: ["a"] } }),
  ],
  [
    "a link without its id",
    (_good, { sessionId }) => ({ sessionId, mode: "url", message: "m", url: "https://a.b" }),
  ],
  ["a link to nowhere", (_good, voice) => ({ ...link(voice), url: "nowhere" })],
])("a question with %s is answered as invalid, and nothing of it waits", async (_what, spoil) => {
  const agent = scriptedAgent(async (turn) => {
    const heard = await turn.requestRaw("elicitation/create", spoil(form(turn), turn));
    await turn.say(JSON.stringify(heard));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  expect(JSON.parse(String(await lastWords(ctx)))).toMatchObject({ error: { code: -32602 } });
  expect(await ctx.types()).not.toContain("_signalbox/question_request");
});

test("fields of types that nobody knows yet are kept as they came", async () => {
  const schema = { properties: { colour: { type: "colour", palette: ["red"] } }, "x-new": 1 };
  const agent = curious((voice) => {
    expect(complaints("CreateElicitationRequest", form(voice, schema))).toEqual([]);
    return form(voice, schema);
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  expect(question.schema).toEqual(schema);
  expect(await answer(ctx, question, "accept", { colour: "red" })).toEqual({ status: "accepted" });
});

test("an agent that asks on behalf of a start is answered cancel, so that the start goes on", async () => {
  const heard: unknown[] = [];
  const agent = scriptedAgent(async () => "end_turn", {
    onNew: async (voice) => {
      const { sessionId: _sessionId, ...rest } = form(voice);
      heard.push(await voice.requestRaw("elicitation/create", { ...rest, requestId: 1 }));
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  expect(heard).toEqual([{ result: { action: "cancel" } }]);
});

test("a link that its agent reports as done is noted once; unknown and finished ids are nothing", async () => {
  const agent = scriptedAgent(async (turn) => {
    const complete = (elicitationId: JsonValue) =>
      turn.notifyRaw("elicitation/complete", { elicitationId });
    await complete("nobody");
    await complete(7);
    await turn.notifyRaw("elicitation/complete", null);
    await turn.requestRaw("elicitation/create", link(turn, "first"));
    await complete("first");
    await complete("first");
    await turn.requestRaw("elicitation/create", link(turn, "second"));
    await complete("second");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const first = await theQuestion(ctx);
  await answer(ctx, first, "accept");
  await expect.poll(async () => (await theQuestion(ctx)).requestId).not.toBe(first.requestId);
  await answer(ctx, await theQuestion(ctx), "decline");
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  const events = await ctx.events();
  const completed = events.filter(({ type }) => type === "_signalbox/question_completed");
  expect(completed).toMatchObject([{ promptId, requestId: first.requestId }]);
});

test("watchers of all sessions hear of a question and of its end, also of one they missed", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  const stop = new AbortController();
  const told: JsonObject[] = [];
  let cursor = "";
  const watching = (async () => {
    for await (const item of ctx.runtime.followFleet({ lastEventId: null }, stop.signal)) {
      cursor = item.cursor;
      told.push(JSON.parse(JSON.stringify(item.event)));
    }
  })();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  await expect.poll(() => told.map(({ type }) => type)).toContain("question_requested");
  expect(told.find(({ type }) => type === "question_requested")).toMatchObject({
    request: question,
  });
  await answer(ctx, question, "decline");
  await expect.poll(() => told.map(({ type }) => type)).toContain("question_resolved");
  expect(told.find(({ type }) => type === "question_resolved")).toMatchObject({
    sessionId: "main",
    requestId: question.requestId,
    action: "decline",
    resolvedBy: OPERATOR.actor,
  });
  stop.abort();
  await watching;
  await using after = await ctx.afterCrash();
  const missed: JsonObject[] = [];
  const again = new AbortController();
  for await (const { event } of after.runtime.followFleet({ lastEventId: cursor }, again.signal)) {
    missed.push(JSON.parse(JSON.stringify(event)));
    if (event.type === "question_resolved") break;
  }
  expect(missed.at(-1)).toMatchObject({ requestId: question.requestId, action: "decline" });
});

test("open questions are listed oldest first, page by page, over all sessions", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  const ids = ["c", "a", "b"];
  for (const [index, sessionId] of ids.entries()) {
    await ctx.open({ sessionId });
    await ctx.submit("go", { sessionId });
    await pendingQuestions(ctx, index + 1);
  }
  const first = await ctx.runtime.pendingQuestions({ limit: 2 });
  const cursor = first.nextCursor ?? "";
  const second = await ctx.runtime.pendingQuestions({ limit: 2, cursor });
  const seen = [...first.requests, ...second.requests].map(({ sessionId }) => sessionId);
  expect(seen).toEqual(ids);
  expect(second.nextCursor).toBeNull();
  await expect(ctx.runtime.pendingPermissions({ cursor })).rejects.toMatchObject({
    code: "invalid_list_cursor",
  });
});
