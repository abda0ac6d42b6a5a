/** Questions of the demo agent through the real server, over HTTP and WebSocket. */
import type { SignalboxClient } from "@signalbox/client";
import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import {
  historyOf,
  isType,
  openSession,
  spokenIn,
  submit,
  untilEvent,
} from "../support/session.ts";

const isRequest = isType("_signalbox/question_request");
const isResponse = isType("_signalbox/question_response");

async function asked(text: string) {
  const server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", text);
  const request = await untilEvent(client, "main", isRequest);
  const question = { sessionId: "main", requestId: String(request.requestId) };
  return {
    server,
    client,
    promptId,
    question,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function spokenAfter(client: SignalboxClient, promptId: string): Promise<string> {
  await client.api.sessions.awaitPrompt.mutate({ sessionId: "main", promptId });
  return spokenIn(await historyOf(client, "main"), promptId);
}

test("a form is answered through the API, checked against its schema, pattern included", async () => {
  await using ctx = await asked("/question");
  const { client, question } = ctx;
  const { respond, pending } = client.api.questions;
  const { requests } = await pending.query({});
  expect(requests).toMatchObject([{ ...question, promptId: ctx.promptId, mode: "form" }]);
  expect(await client.api.sessions.get.query({})).toMatchObject({
    state: { status: "waiting", requests: [], questions: requests },
    pendingPermissions: 0,
  });
  const wrong = { ...question, action: "accept", content: { version: "soon" } } as const;
  await expect(respond.mutate(wrong)).rejects.toMatchObject({
    code: "invalid_answer",
    details: { field: "version" },
  });
  await expect(
    respond.mutate({ ...question, action: "decline", content: {} }),
  ).rejects.toMatchObject({ code: "bad_request" });
  const right = { ...question, action: "accept", content: { version: "1.2.3" } } as const;
  expect(await respond.mutate(right)).toEqual({ status: "accepted" });
  // What the form requires and nobody changed has its default; what it does not require stays out.
  const spoken = await spokenAfter(client, ctx.promptId);
  expect(spoken).toContain('"version": "1.2.3"');
  expect(spoken).toContain('"channel": "beta"');
  expect(spoken).not.toContain("notify");
});

test("of many answers at once to one question exactly one is accepted", async () => {
  await using ctx = await asked("/question");
  const { client, question, server } = ctx;
  const others = await Promise.all([server.connect(), server.connect()]);
  const answers = await Promise.all(
    [client, ...others].flatMap(({ api }) =>
      (["decline", "cancel"] as const).map((action) =>
        api.questions.respond.mutate({ ...question, action }),
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === "accepted")).toHaveLength(1);
  const lost = { status: "not_pending", reason: "already_resolved" };
  expect(answers.filter(({ status }) => status !== "accepted")).toMatchObject(Array(5).fill(lost));
  await client.api.sessions.awaitPrompt.mutate({ sessionId: "main", promptId: ctx.promptId });
  expect((await historyOf(client, "main")).filter(isResponse)).toHaveLength(1);
});

test("a link is accepted without content, and its completion is in history", async () => {
  await using ctx = await asked("/link");
  const { client, question } = ctx;
  const { requests } = await client.api.questions.pending.query({});
  expect(requests).toMatchObject([
    { ...question, mode: "url", url: "https://example.org/checklist?for=signalbox-demo" },
  ]);
  const answer = { ...question, action: "accept" } as const;
  expect(await client.api.questions.respond.mutate(answer)).toEqual({ status: "accepted" });
  expect(await spokenAfter(client, ctx.promptId)).toContain("Thank you");
  const events = await historyOf(client, "main");
  expect(events.find(isType("_signalbox/question_completed"))).toMatchObject({
    requestId: question.requestId,
    promptId: ctx.promptId,
  });
});

test("a server killed with an open question ends it before its turn, and tells a late answer so", async () => {
  await using ctx = await asked("/question");
  const { client, promptId, question, server } = ctx;
  await server.kill9();
  await server.start();
  await server.assertNoAdapters();
  const events = await historyOf(client, "main");
  expect(events.slice(-2)).toMatchObject([
    {
      type: "_signalbox/question_response",
      promptId,
      requestId: question.requestId,
      action: "cancel",
      status: "not_pending",
      reason: "server_restarted",
    },
    { type: "_signalbox/turn_ended", promptId },
  ]);
  const { pending, respond } = client.api.questions;
  expect(await pending.query({})).toMatchObject({ requests: [] });
  expect(await respond.mutate({ ...question, action: "decline" })).toMatchObject({
    status: "not_pending",
    reason: "server_restarted",
  });
});

test("a cancelled turn takes its question with it", async () => {
  await using ctx = await asked("/survey");
  const { client, question } = ctx;
  await client.api.sessions.cancelPrompt.mutate({ wait: true });
  const late = { ...question, action: "decline" } as const;
  expect(await client.api.questions.respond.mutate(late)).toMatchObject({
    status: "not_pending",
    reason: "prompt_cancelled",
  });
});
