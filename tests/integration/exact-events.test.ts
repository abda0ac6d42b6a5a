/** What an agent sent leaves the server in its own spelling, whichever way it is read. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp, socketAnswers } from "../support/raw-calls.ts";
import { childAgent, ServerProcess } from "../support/server-process.ts";

/** As `child-agent.mjs unknown-update` writes it, its kind being the event's type. */
const SPELLING = '"type":"_vendor/future","b":1.0,"a":9007199254740993,"10":1,"9":2}';

let server: ServerProcess;
let token: string;

beforeAll(async () => {
  server = await ServerProcess.start({ agents: { odd: childAgent("unknown-update") } });
  token = await server.adminToken();
  const client = await server.connect();
  await client.api.sessions.open.mutate({ agent: "odd" });
  await client.prompt({ text: "go" });
});
afterAll(() => server[Symbol.asyncDispose]());

async function socketFrames(method: string, path: string, input: object, until: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`);
  await once(socket, "open");
  let frames = "";
  const done = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      frames += data.toString();
      if (frames.includes(until)) resolve();
    });
  });
  socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
  socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method, params: { path, input } }));
  await done;
  socket.terminate();
  return frames;
}

test("over HTTP", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await rawHttp(`${server.url}/trpc/sessions.history`, { headers });
  expect(body).toContain(SPELLING);
  expect(JSON.parse(body).result.data.events).toHaveLength(3);
});

test("over HTTP in a batch", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const path = "/trpc/sessions.history,sessions.get?batch=1&input=%7B%7D";
  const { body } = await rawHttp(`${server.url}${path}`, { headers });
  expect(body).toContain(SPELLING);
});

test("over a WebSocket", async () => {
  const frames = await socketFrames("query", "sessions.history", {}, "turn_ended");
  expect(frames).toContain(SPELLING);
  const [answer] = await socketAnswers(server.url, token, [
    { id: 1, jsonrpc: "2.0", method: "query", params: { path: "sessions.history", input: {} } },
  ]);
  expect(answer).toMatchObject({ id: 1, result: { type: "data", data: { hasMoreAfter: false } } });
});

test("in a subscription over a WebSocket", async () => {
  const frames = await socketFrames("subscription", "sessions.events", { after: 0 }, "turn_ended");
  expect(frames).toContain(SPELLING);
});

test("in a subscription over HTTP", async () => {
  const ends = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ after: 0 }));
  const answer = await fetch(`${server.url}/trpc/sessions.events?input=${input}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ends.signal,
  });
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes("turn_ended")) break;
  }
  ends.abort();
  expect(text).toContain(SPELLING);
});
