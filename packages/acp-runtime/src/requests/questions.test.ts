/** A question of the agent from its request to its end, whichever end that is. */
import type { JsonObject } from "@signalbox/protocol";
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
  NAME_FORM,
  pendingQuestions,
  theQuestion,
} from "../testing/questions.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const ended = (ctx: TestRuntime, promptId: string) =>
  ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);

test("agents are offered questions with forms and with links, as the protocol names them", async () => {
  const agent = curious();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { params } = await agent.called("initialize");
  expect(params.clientCapabilities).toMatchObject({ elicitation: { form: {}, url: {} } });
  expect(complaints("ClientCapabilities", params.clientCapabilities)).toEqual([]);
});

test("a question waits with its form, whatever the permission policy, and the agent gets the answer", async () => {
  const agent = curious((voice) => {
    expect(complaints("CreateElicitationRequest", form(voice))).toEqual([]);
    return form(voice);
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "allow_all" });
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  expect(question).toEqual({
    sessionId: "main",
    requestId: question.requestId,
    promptId,
    message: "Who is it?",
    mode: "form",
    schema: NAME_FORM,
    requestedAt: question.requestedAt,
  });
  expect((await ctx.runtime.getSession("main")).state).toEqual({
    status: "waiting",
    promptId,
    waitingSince: question.requestedAt,
    requests: [],
    questions: [question],
  });
  expect(await answer(ctx, question, "accept", { name: "Ada" })).toEqual({ status: "accepted" });
  await ended(ctx, promptId);
  const result = { action: "accept", content: { name: "Ada" } };
  expect(await lastWords(ctx)).toBe(JSON.stringify({ result }));
  expect(complaints("CreateElicitationResponse", result)).toEqual([]);
  expect(await ctx.types()).toEqual([
    "user_message_chunk",
    "agent_message_chunk",
    "_signalbox/question_request",
    "_signalbox/question_response",
    "agent_message_chunk",
    "_signalbox/turn_ended",
  ]);
  expect((await ctx.events())[2]).toMatchObject({
    promptId,
    requestId: question.requestId,
    message: "Who is it?",
    mode: "form",
    schema: NAME_FORM,
  });
  expect(await answered(ctx)).toMatchObject([
    {
      promptId,
      requestId: question.requestId,
      action: "accept",
      status: "accepted",
      resolvedBy: { kind: "token", name: "test" },
    },
  ]);
});

test("the agent's own ids of a question never show", async () => {
  await using ctx = await testRuntime({
    agent: curious((voice) => link(voice, "private-elicitation")),
  });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  expect(question).toMatchObject({ mode: "url", url: "https://example.org/log-in?for=agent" });
  expect(await answer(ctx, question, "accept")).toEqual({ status: "accepted" });
  await ended(ctx, promptId);
  expect(await lastWords(ctx)).toBe(JSON.stringify({ result: { action: "accept" } }));
  const shown = JSON.stringify([question, await ctx.events()]);
  expect(shown).not.toContain("private-elicitation");
  expect(shown).not.toContain("agent-1");
});

test("what a person typed is given to the agent and stored nowhere; who answered and which fields is audited", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.requestRaw("elicitation/create", form(turn));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  await answer(ctx, question, "accept", { name: "something private" });
  await ended(ctx, promptId);
  const { prisma } = ctx.deps.db;
  const rows = [
    await prisma.audit.findMany(),
    await prisma.event.findMany(),
    await prisma.question.findMany(),
  ];
  const text = JSON.stringify(rows, (_key, value) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  expect(text).not.toContain("something private");
  const audit = await prisma.audit.findFirst({ where: { action: "questions.respond" } });
  expect(audit).toMatchObject({ sessionId: "main", target: question.requestId, outcome: "ok" });
  expect(JSON.parse(audit?.details ?? "")).toEqual({
    action: "accept",
    fields: ["name"],
    sequence: expect.any(Number),
  });
});

test.each(["decline", "cancel"] as const)("an answer of %s carries no content", async (action) => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  await expect(answer(ctx, question, action, { name: "Ada" })).rejects.toMatchObject({
    code: "bad_request",
    details: { field: "content" },
  });
  expect(await answer(ctx, question, action)).toEqual({ status: "accepted" });
  await ended(ctx, promptId);
  expect(await lastWords(ctx)).toBe(JSON.stringify({ result: { action } }));
  expect(await answered(ctx)).toMatchObject([{ action, status: "accepted" }]);
  expect(complaints("CreateElicitationResponse", { action })).toEqual([]);
});

test("an answer that does not fit the form names the field and leaves the question open", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  const wrong: [JsonObject | undefined, string][] = [
    [undefined, "name"],
    [{}, "name"],
    [{ name: "A" }, "name"],
    [{ name: null }, "name"],
    [{ name: { first: "Ada" } }, "name"],
    [{ name: "Ada", extra: 1 }, "extra"],
  ];
  for (const [content, field] of wrong) {
    await expect(answer(ctx, question, "accept", content)).rejects.toMatchObject({
      code: "invalid_answer",
      details: { requestId: question.requestId, field },
    });
  }
  expect(await pendingQuestions(ctx)).toEqual([question]);
  expect(await answer(ctx, question, "accept", { name: "Ada" })).toEqual({ status: "accepted" });
});

test("a link takes no content", async () => {
  await using ctx = await testRuntime({ agent: curious(link) });
  await ctx.open();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  await expect(answer(ctx, question, "accept", { name: "Ada" })).rejects.toMatchObject({
    code: "invalid_answer",
  });
  expect(await answer(ctx, question, "accept")).toEqual({ status: "accepted" });
});

test("of two answers at once to a question exactly one is accepted", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  const answers = await Promise.all([
    answer(ctx, question, "accept", { name: "Ada" }),
    answer(ctx, question, "decline"),
  ]);
  expect(answers).toContainEqual({ status: "accepted" });
  expect(answers).toContainEqual({
    status: "not_pending",
    reason: "already_resolved",
    resolvedBy: OPERATOR.actor,
  });
  await ended(ctx, promptId);
  expect(await answered(ctx)).toHaveLength(1);
});

test("an answer to a question is committed before the agent hears it", async () => {
  const seen: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    await turn.requestRaw("elicitation/create", form(turn));
    seen.push((await ctx.types()).at(-1), (await ctx.runtime.pendingQuestions({})).requests);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await answer(ctx, await theQuestion(ctx), "decline");
  await ended(ctx, promptId);
  expect(seen).toEqual(["_signalbox/question_response", []]);
});

const ENDS: [string, (ctx: TestRuntime, promptId: string) => Promise<unknown>][] = [
  [
    "prompt_cancelled",
    (ctx, promptId) =>
      ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER),
  ],
  ["session_unloaded", (ctx) => ctx.runtime.unloadSession("main", OPERATOR)],
  ["session_deleted", (ctx) => ctx.runtime.deleteSession("main", OPERATOR)],
  ["server_stopped", (ctx) => ctx.runtime.close({ graceMs: 0 })],
];

test.each(ENDS)("a question that ends as %s tells a late answer so", async (reason, end) => {
  const heard: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    heard.push(await turn.requestRaw("elicitation/create", form(turn)));
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  await end(ctx, promptId);
  expect(heard).toEqual([{ result: { action: "cancel" } }]);
  expect(await answer(ctx, question, "decline")).toMatchObject({ status: "not_pending", reason });
  expect(await ctx.deps.db.prisma.question.count({ where: { state: "pending" } })).toBe(0);
});

test.each(ENDS)("an answer that races with %s counts for one side only", async (reason, end) => {
  const heard: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    heard.push(await turn.requestRaw("elicitation/create", form(turn)));
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  const [result] = await Promise.all([answer(ctx, question, "decline"), end(ctx, promptId)]);
  const lost = { status: "not_pending", reason, resolvedBy: { kind: "system", name: "signalbox" } };
  const outcomes = [
    [{ status: "accepted" }, { result: { action: "decline" } }],
    [lost, { result: { action: "cancel" } }],
  ];
  expect(outcomes).toContainEqual([result, heard[0]]);
});

test("a question whose agent dies ends as adapter_exited, also when an answer races with it", async () => {
  const agent = curious();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  agent.voice(String(agent.sessionIds[0])).crash({ code: 9 });
  const early = await answer(ctx, question, "decline");
  expect(["accepted", "not_pending"]).toContain(early.status);
  await expect.poll(async () => (await ctx.runtime.getSession("main")).state.status).toBe("failed");
  const [response, ...more] = await answered(ctx);
  expect(more).toEqual([]);
  const late = await answer(ctx, question, "decline");
  expect(late).toMatchObject({ reason: response?.reason ?? "already_resolved" });
});

test("an agent that ends its turn with a question open gives a late answer turn_ended", async () => {
  const agent = scriptedAgent(async (turn) => {
    void turn.requestRaw("elicitation/create", form(turn)).catch(() => undefined);
    await theQuestion(ctx);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  const question = await theQuestion(ctx);
  await ended(ctx, promptId);
  expect(await answer(ctx, question, "decline")).toMatchObject({ reason: "turn_ended" });
  expect((await ctx.types()).slice(-2)).toEqual([
    "_signalbox/question_response",
    "_signalbox/turn_ended",
  ]);
});

test("after a kill open questions are ended as server_restarted, before their turn", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  await ctx.submit("go");
  const question = await theQuestion(ctx);
  await using after = await ctx.afterCrash();
  expect(await answer(after, question, "decline")).toMatchObject({ reason: "server_restarted" });
  expect((await after.types()).slice(-2)).toEqual([
    "_signalbox/question_response",
    "_signalbox/turn_ended",
  ]);
  expect(await answered(after)).toMatchObject([
    { action: "cancel", status: "not_pending", reason: "server_restarted" },
  ]);
});

test("a question nobody asked is not found, not an error", async () => {
  await using ctx = await testRuntime({ agent: curious() });
  await ctx.open();
  const nobody = { sessionId: "main", requestId: "nope" };
  const notFound = { status: "not_pending", reason: "request_not_found" };
  expect(await answer(ctx, nobody, "decline")).toEqual(notFound);
  await ctx.submit("go");
  const { requestId } = await theQuestion(ctx);
  expect(await answer(ctx, { sessionId: "other", requestId }, "decline")).toEqual(notFound);
});
