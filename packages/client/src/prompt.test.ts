import { AppError, type PromptResult, type SessionEvent } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { connect, SignalboxConnectionError } from "./index.ts";
import { ScriptedServer } from "./testing/scripted-server.ts";

const RESULT: PromptResult = {
  sessionId: "main",
  promptId: "p1",
  message: null,
  stopReason: "end_turn",
};
const SUBMITTED = { promptId: "p1", sequence: 1, repeated: false };

function event(sequence: number, type: string): SessionEvent {
  return {
    durability: "durable",
    sessionId: "main",
    sequence,
    timestamp: "2026-01-01T00:00:00.000Z",
    promptId: "p1",
    type,
  };
}

test("a submission whose answer is lost is sent again with the same key", async () => {
  const keys: unknown[] = [];
  await using server = await ScriptedServer.start({
    submitPrompt: async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (keys.length === 1) server.cut();
      return SUBMITTED;
    },
    awaitPrompt: async () => RESULT,
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await client.prompt({ text: "hello" })).toEqual(RESULT);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toEqual(expect.stringMatching(/^.{8,256}$/));
  expect(keys[1]).toBe(keys[0]);
});

test.each(["server_draining", "storage_busy", "rate_limited"] as const)(
  "a submission refused with %s is sent again",
  async (code) => {
    let calls = 0;
    await using server = await ScriptedServer.start({
      submitPrompt: async () => {
        calls += 1;
        if (calls < 3) throw new AppError(code, "not now");
        return SUBMITTED;
      },
      awaitPrompt: async () => RESULT,
    });
    await using client = connect({ url: server.url, token: "t" });
    expect(await client.prompt({ text: "hello" })).toEqual(RESULT);
    expect(calls).toBe(3);
  },
);

test.each([
  "session_busy",
  "idempotency_conflict",
  "prompt_too_large",
  "forbidden",
  "internal",
] as const)("a submission refused with %s is not sent again", async (code) => {
  let calls = 0;
  await using server = await ScriptedServer.start({
    submitPrompt: async () => {
      calls += 1;
      throw new AppError(code, "no", { details: { why: "test" } });
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await expect(client.prompt({ text: "hello" })).rejects.toMatchObject({
    name: "SignalboxError",
    code,
    message: "no",
    details: { why: "test" },
  });
  expect(calls).toBe(1);
});

test("the stored failure of a turn is thrown, even one whose code is otherwise retried", async () => {
  let waits = 0;
  await using server = await ScriptedServer.start({
    submitPrompt: async () => SUBMITTED,
    awaitPrompt: async () => {
      waits += 1;
      throw new AppError("storage_busy", "the turn failed", { details: { delivery: "uncertain" } });
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await expect(client.prompt({ text: "hello" })).rejects.toMatchObject({ code: "storage_busy" });
  expect(waits).toBe(1);
});

test("waiting goes on over pending answers and a restart of the server", async () => {
  let waits = 0;
  await using server = await ScriptedServer.start({
    submitPrompt: async () => SUBMITTED,
    awaitPrompt: async () => {
      waits += 1;
      if (waits === 1) return { pending: true };
      if (waits === 2) void server.stop().then(() => server.start());
      return waits === 2 ? { pending: true } : RESULT;
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await client.prompt({ text: "hello" })).toEqual(RESULT);
  expect(waits).toBeGreaterThanOrEqual(3);
});

test("an aborted prompt rejects with the signal's reason and waits no longer", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  await using server = await ScriptedServer.start({
    submitPrompt: async () => SUBMITTED,
    awaitPrompt: async () => {
      controller.abort(reason);
      return { pending: true };
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const waiting = client.prompt({ text: "hello", signal: controller.signal });
  await expect(waiting).rejects.toBe(reason);
});

test("an outage longer than the client bears is a connection error", async () => {
  const server = await ScriptedServer.start({});
  const { url } = server;
  await server.stop();
  await using client = connect({ url, token: "t", maxOutageMs: 0 });
  await expect(client.prompt({ text: "hello" })).rejects.toBeInstanceOf(SignalboxConnectionError);
});

test("an answer that is not the API's own is judged by its status", async () => {
  let calls = 0;
  await using server = await ScriptedServer.start({
    intercept: (_request, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 502 : 404, { "content-type": "text/html" });
      response.end("<h1>proxy</h1>");
      return true;
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  await expect(client.prompt({ text: "hello" })).rejects.toMatchObject({
    name: "SignalboxConnectionError",
    httpStatus: 404,
  });
  expect(calls).toBe(2);
});

test("the events of the turn are told in order and up to its end", async () => {
  await using server = await ScriptedServer.start({
    submitPrompt: async () => SUBMITTED,
    awaitPrompt: async () => RESULT,
    events: async function* ({ after }) {
      expect(after).toBe(1);
      yield { id: "2", event: event(2, "agent_message_chunk") };
      yield { id: "3", event: { ...event(3, "plan"), promptId: null } };
      yield { id: "4", event: event(4, "_signalbox/turn_ended") };
      yield { id: "5", event: event(5, "after_the_end") };
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const seen: string[] = [];
  const told = await client.prompt({ text: "hello", onEvent: ({ type }) => seen.push(type) });
  expect(told).toEqual(RESULT);
  expect(seen).toEqual(["agent_message_chunk", "_signalbox/turn_ended"]);
});

test("a listener that throws fails the prompt and ends its waiting", async () => {
  await using server = await ScriptedServer.start({
    submitPrompt: async () => SUBMITTED,
    awaitPrompt: () => new Promise(() => {}),
    events: async function* () {
      yield { id: "2", event: event(2, "agent_message_chunk") };
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const failing = client.prompt({
    text: "hello",
    onEvent: () => {
      throw new Error("the listener's own");
    },
  });
  await expect(failing).rejects.toThrow("the listener's own");
});
