import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { connect } from "./index.ts";
import { ScriptedServer } from "./testing/scripted-server.ts";

test("a finished call leaves nothing on the caller's signal", async () => {
  const { signal } = new AbortController();
  await using server = await ScriptedServer.start({
    submitPrompt: async () => ({ promptId: "p1", sequence: 1, repeated: false }),
    awaitPrompt: async () => ({
      sessionId: "main",
      promptId: "p1",
      message: null,
      stopReason: "end_turn",
    }),
    events: async function* () {
      yield { id: "1", event: turnEnded() };
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await client.api.sessions.get.query({}, { signal });
  await client.prompt({ text: "hello", signal, onEvent: () => {} });
  for await (const _ of client.followSession({ after: 0, signal })) break;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a refusal of a plain route is told apart by its code, too", async () => {
  const data = { appCode: "forbidden", details: null, retryable: false, httpStatus: 403 };
  await using server = await ScriptedServer.start({
    intercept: (_request, response) => {
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "foreign Host", data } }));
      return true;
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await expect(client.api.sessions.get.query({})).rejects.toMatchObject({
    name: "SignalboxError",
    code: "forbidden",
    message: "foreign Host",
    httpStatus: 403,
  });
});

test("a code that this build does not know is never taken as safe to retry", async () => {
  let calls = 0;
  await using server = await ScriptedServer.start({
    intercept: (_request, response) => {
      calls += 1;
      const data = { appCode: "from_the_future", details: null, retryable: true, httpStatus: 503 };
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "?", code: -32603, data } }));
      return true;
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await expect(client.prompt({ text: "hello" })).rejects.toMatchObject({
    code: "internal",
    details: { appCode: "from_the_future" },
    httpStatus: 503,
  });
  expect(calls).toBe(1);
});

function turnEnded() {
  return {
    durability: "durable" as const,
    sessionId: "main",
    sequence: 2,
    timestamp: "2026-01-01T00:00:00.000Z",
    promptId: "p1",
    type: "_signalbox/turn_ended",
  };
}
