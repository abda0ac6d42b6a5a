/** Search and downloads through the server: by token, by ticket, and by nobody else. */

import { once } from "node:events";
import { request } from "node:http";
import type { SignalboxClient } from "@signalbox/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let client: SignalboxClient;
let bearer: { authorization: string };

beforeAll(async () => {
  server = await ServerProcess.start();
  client = await server.connect();
  bearer = { authorization: `Bearer ${await server.adminToken()}` };
  await client.api.sessions.open.mutate({ agent: "demo" });
  await client.prompt({ text: "/echo a needle in the hay" });
});
afterAll(() => server[Symbol.asyncDispose]());

const unauthorized = {
  error: {
    message: expect.any(String),
    data: { appCode: "unauthorized", details: null, retryable: false, httpStatus: 401 },
  },
};

test("what was said is found over the typed client", async () => {
  const { hits, nextCursor } = await client.api.sessions.search.query({ query: "needle hay" });
  expect(hits.length).toBeGreaterThan(0);
  expect(hits[0]).toMatchObject({ sessionId: "main", snippet: expect.stringContaining("needle") });
  expect(nextCursor).toBeNull();
});

test("a ticket is good for one download, and says until when", async () => {
  const before = Date.now();
  const { url, expiresAt } = await client.api.sessions.export.mutate({ format: "jsonl" });
  expect(url).toMatch(/^\/export\/[\w-]{32}$/);
  expect(Date.parse(expiresAt) - before).toBeGreaterThan(50_000);
  const first = await rawHttp(`${server.url}${url}`);
  expect(first.status).toBe(200);
  expect(first.headers).toMatchObject({
    "content-type": "application/jsonl; charset=utf-8",
    "content-disposition": 'attachment; filename="main.jsonl"',
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const { events } = await client.api.sessions.history.query({ after: 0, limit: 1_000 });
  const lines = first.body.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  const second = await rawHttp(`${server.url}${url}`);
  expect(second).toMatchObject({ status: 401, json: unauthorized });
});

test("a bearer fetches the same, as a transcript too", async () => {
  const answer = await rawHttp(`${server.url}/export?sessionId=main&format=markdown`, {
    headers: bearer,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(answer.body).toContain("needle in the hay");
});

test.each([
  ["no token", {}, "?format=jsonl"],
  ["a wrong token", { authorization: "Bearer sb_token_wrong" }, "?format=jsonl"],
  ["an invented ticket", {}, `/${"x".repeat(32)}`],
])("with %s nothing is read", async (_name, headers, rest) => {
  const answer = await rawHttp(`${server.url}/export${rest}`, { headers });
  expect(answer).toMatchObject({ status: 401, json: unauthorized });
});

test("a token without scope R is forbidden", async () => {
  const { secret } = await client.api.tokens.create.mutate({ name: "p", scopes: ["P", "A", "X"] });
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await rawHttp(`${server.url}/export?format=jsonl`, { headers });
  expect(answer).toMatchObject({
    status: 403,
    json: { error: { data: { appCode: "forbidden", details: { missing: ["R"] } } } },
  });
});

test("a ticket is void when its token is revoked", async () => {
  const { token, secret } = await client.api.tokens.create.mutate({ name: "r", scopes: ["R"] });
  const headers = { authorization: `Bearer ${secret}` };
  const body = JSON.stringify({ format: "jsonl" });
  const issued = await rawHttp(`${server.url}/trpc/sessions.export`, { headers, body });
  const { url } = (issued.json as { result: { data: { url: string } } }).result.data;
  await client.api.tokens.revoke.mutate({ id: token.id });
  expect((await rawHttp(`${server.url}${url}`)).status).toBe(401);
});

test.each([
  ["?format=pdf", "bad_request", 400],
  ["?format=jsonl&sessionId=nobody", "session_not_found", 404],
  ["?format=jsonl&columns=all", "bad_request", 400],
])("bad input is told before anything is sent: %s", async (query, appCode, status) => {
  const answer = await rawHttp(`${server.url}/export${query}`, { headers: bearer });
  expect(answer).toMatchObject({ status, json: { error: { data: { appCode } } } });
});

test("HEAD answers as GET would, without the file, and uses no ticket up", async () => {
  const head = (url: string, headers: Record<string, string> = {}) =>
    rawHttp(`${server.url}${url}`, { method: "HEAD", headers });
  const { url } = await client.api.sessions.export.mutate({ format: "markdown" });
  const asked = await head(url);
  expect(asked).toMatchObject({ status: 200, body: "" });
  const fetched = await rawHttp(`${server.url}${url}`);
  expect(fetched.headers).toMatchObject({
    "content-type": asked.headers["content-type"],
    "content-disposition": asked.headers["content-disposition"],
  });
  expect(asked.headers["content-disposition"]).toBe('attachment; filename="main.md"');
  expect((await head(url)).status).toBe(401);
  expect((await head("/export?format=jsonl")).status).toBe(401);
  expect((await head("/export?format=jsonl&sessionId=nobody", bearer)).status).toBe(404);
  expect((await head("/export?format=jsonl", bearer)).status).toBe(200);
});

test("only GET fetches an export, and a foreign origin none", async () => {
  const posted = await rawHttp(`${server.url}/export?format=jsonl`, {
    headers: bearer,
    body: "{}",
  });
  expect(posted.status).toBe(400);
  const headers = { ...bearer, origin: "http://evil.example" };
  expect((await rawHttp(`${server.url}/export?format=jsonl`, { headers })).status).toBe(403);
});

test("a reader who leaves in the middle of a large export frees it, and the server goes on", async () => {
  await client.api.sessions.open.mutate({ sessionId: "large", agent: "demo" });
  await client.prompt({ sessionId: "large", text: "/long 20000" });
  const outgoing = request(`${server.url}/export?sessionId=large&format=jsonl`, {
    headers: bearer,
    agent: false,
  });
  outgoing.end();
  const [incoming] = await once(outgoing, "response");
  await once(incoming, "data");
  incoming.destroy();
  const whole = await rawHttp(`${server.url}/export?sessionId=large&format=jsonl`, {
    headers: bearer,
  });
  const { latestSequence } = await client.api.sessions.get.query({ sessionId: "large" });
  expect(whole.body.trimEnd().split("\n")).toHaveLength(latestSequence);
});
