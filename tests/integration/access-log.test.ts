/** What the server writes down of who came, and what it keeps to itself. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp, socketAnswers, socketEnd } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let headers: Record<string, string>;
let token: string;

beforeAll(async () => {
  server = await ServerProcess.start();
  token = await server.adminToken();
  headers = { authorization: `Bearer ${token}` };
});
afterAll(() => server[Symbol.asyncDispose]());

interface Line {
  message: string;
  facts: Record<string, unknown>;
}

/** The log so far, from the level `info` on. */
function lines(): Line[] {
  return server.stderr.split("\n").flatMap((line) => {
    const match = /^\S+Z info (?<message>[^{]*?) (?<facts>\{.*\})$/.exec(line)?.groups;
    return match ? [{ message: match.message ?? "", facts: JSON.parse(match.facts ?? "{}") }] : [];
  });
}

const who = { token: expect.any(String), name: expect.any(String), address: "127.0.0.1" };
const toHold = (line: object) => expect.poll(lines).toContainEqual(expect.objectContaining(line));

test("a call is written down with who made it, over both ways in, and none of its input", async () => {
  const input = encodeURIComponent('{"sessionId":"not-for-the-log"}');
  await rawHttp(`${server.url}/trpc/sessions.get?input=${input}`, { headers });
  const call = { path: "sessions.get", type: "query", outcome: "session_not_found" };
  const durationMs = expect.any(Number);
  await toHold({ message: "call", facts: { ...call, way: "http", durationMs, ...who } });
  const params = { path: "agents.list", input: {} };
  await socketAnswers(server.url, token, [{ id: 1, jsonrpc: "2.0", method: "query", params }]);
  const listed = { path: "agents.list", type: "query", outcome: "ok", way: "socket", durationMs };
  await toHold({ message: "call", facts: { ...listed, ...who } });
  await toHold({ message: "a socket opened", facts: who });
  await toHold({ message: "a socket closed", facts: { code: expect.any(Number), ...who } });
  expect(server.stderr).not.toContain("not-for-the-log");
  expect(server.stderr).not.toContain(token);
});

test("who is turned away is written down, by call, Host, Origin, socket, export and login", async () => {
  const refused = (facts: object) =>
    toHold({ message: "refused", facts: { address: "127.0.0.1", ...facts } });
  await rawHttp(`${server.url}/trpc/sessions.list?token=wrong`);
  await refused({ method: "GET", target: "/trpc/sessions.list", outcome: "unauthorized" });
  await rawHttp(`${server.url}/trpc/agents.list`, { headers: { host: "evil.example" } });
  await refused({ method: "GET", target: "/trpc/agents.list", outcome: "forbidden" });
  const origin = { headers: { origin: "http://evil.example" } };
  await socketEnd(`ws://127.0.0.1:${server.port}/trpc`, origin);
  await refused({ method: "GET", target: "/trpc", outcome: "forbidden" });
  const frames = [{ method: "connectionParams", data: { token: "wrong" } }];
  await socketEnd(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`, { frames });
  await refused({ method: "GET", target: "/trpc", outcome: "unauthorized" });
  await rawHttp(`${server.url}/export?format=jsonl`);
  await toHold({
    message: "request",
    facts: { route: "export", outcome: 401, address: "127.0.0.1" },
  });
  await rawHttp(`${server.url}/login`, { body: '{"code":"a-wrong-code"}' });
  await toHold({
    message: "request",
    facts: { route: "login", outcome: 401, address: "127.0.0.1" },
  });
  expect(server.stderr).not.toContain("a-wrong-code");
});

test("what a stranger writes makes no line of its own", async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/${"x".repeat(500)}%0Aerror`, {
    headers: { origin: "http://evil.example" },
  });
  await once(socket, "error");
  await expect
    .poll(() => lines().some(({ facts }) => String(facts.target).startsWith("/xxx")))
    .toBe(true);
  const long = lines().find(({ facts }) => String(facts.target).startsWith("/xxx"));
  expect(String(long?.facts.target)).toHaveLength(200);
});

test("a flood of strangers is told by its number", async () => {
  const before = lines().length;
  const AT_ONCE = 100;
  let asked = 0;
  const flood = async () => {
    const calls = Array.from({ length: AT_ONCE }, () => rawHttp(`${server.url}/trpc/agents.list`));
    await Promise.all(calls);
    asked += AT_ONCE;
    return lines().slice(before);
  };
  const summary = expect.objectContaining({ message: "more were refused" });
  await expect.poll(flood, { timeout: 30_000, interval: 300 }).toContainEqual(summary);
  const told = lines().slice(before);
  const counted = told.filter(({ message }) => message === "more were refused");
  const sum = counted.reduce((total, { facts }) => total + Number(facts.count), 0);
  const single = told.filter(({ message }) => message === "refused").length;
  expect(sum + single).toBeLessThanOrEqual(asked);
  expect(sum).toBeGreaterThan(0);
}, 60_000);
