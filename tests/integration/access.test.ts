import { connect } from "@signalbox/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawHttp, socketEnd } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let token: string;
let socketUrl: string;

beforeAll(async () => {
  server = await ServerProcess.start();
  token = await server.adminToken();
  socketUrl = `ws://127.0.0.1:${server.port}/trpc?connectionParams=1`;
});
afterAll(() => server[Symbol.asyncDispose]());

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const params = (data: object | null) => ({ method: "connectionParams", data });
const unauthorized = {
  error: { data: { appCode: "unauthorized", details: null, retryable: false, httpStatus: 401 } },
};

describe("without a valid token", () => {
  test.each([
    ["no header", {}],
    ["a wrong token", bearer("wrong")],
    ["an empty token", bearer("")],
    ["another scheme", { authorization: "Basic abc" }],
  ])("a call with %s is unauthorized", async (_name, headers) => {
    const answer = await rawHttp(`${server.url}/trpc/sessions.list`, { headers });
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject(unauthorized);
    expect(answer.body).not.toMatch(/stack|node_modules/);
  });

  test("no token is read from the address", async () => {
    const { status } = await rawHttp(`${server.url}/trpc/sessions.list?token=${token}`);
    expect(status).toBe(401);
  });

  test("a mutation changes nothing", async () => {
    const body = JSON.stringify({ sessionId: "intruder", agent: "demo" });
    const answer = await rawHttp(`${server.url}/trpc/sessions.open`, { body });
    expect(answer.status).toBe(401);
    const client = await server.connect();
    await expect(client.api.sessions.get.query({ sessionId: "intruder" })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("authorisation comes before the input is looked at", async () => {
    const answer = await rawHttp(`${server.url}/trpc/sessions.open`, { body: '{"junk":1}' });
    expect(answer.json).toMatchObject(unauthorized);
  });

  test("every member of a batch is unauthorized", async () => {
    const path = "/trpc/sessions.list,sessions.get,agents.list?batch=1&input=%7B%7D";
    const answer = await rawHttp(`${server.url}${path}`);
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject([unauthorized, unauthorized, unauthorized]);
  });

  test.each([
    ["sends no parameters", [params(null)]],
    ["sends no token", [params({})]],
    ["sends a wrong token", [params({ token: "wrong" })]],
    ["says nothing", []],
    [
      "asks without parameters",
      [{ id: 1, method: "query", params: { path: "sessions.list", input: {} } }],
    ],
  ])("a socket that %s is closed with 4401 within 5 seconds", async (_name, frames) => {
    const end = await socketEnd(socketUrl, { frames });
    expect(end.code).toBe(4401);
    expect(end.afterMs).toBeLessThan(6_000);
  });

  test("the typed client tells it the same over both ways", async () => {
    await using client = connect({ url: server.url, token: "wrong" });
    const expected = { name: "SignalboxError", code: "unauthorized", httpStatus: 401 };
    await expect(client.api.sessions.list.query({})).rejects.toMatchObject(expected);
    await expect(client.followFleet().next()).rejects.toMatchObject(expected);
    await expect(client.followSession({ after: 0 }).next()).rejects.toMatchObject(expected);
    await expect(client.prompt({ text: "hi" })).rejects.toMatchObject(expected);
  });

  test("health is open and tells little", async () => {
    const answer = await rawHttp(`${server.url}/healthz`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: "ok", version: expect.any(String) });
    const call = await rawHttp(`${server.url}/trpc/system.health`);
    expect(call.json).toMatchObject({ result: { data: { status: "ok" } } });
  });
});

describe("from a foreign Host or Origin", () => {
  const foreign = [
    ["Host", { host: "evil.example" }],
    ["Host with the right port", { host: "evil.example:4170" }],
    ["Origin", { origin: "http://evil.example" }],
    ["Origin of another port", { origin: "http://127.0.0.1:1" }],
    ["null Origin", { origin: "null" }],
  ] as const;

  test.each(foreign)("%s: a call is forbidden", async (_name, headers) => {
    const answer = await rawHttp(`${server.url}/trpc/sessions.list`, {
      headers: { ...bearer(token), ...headers },
    });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({
      error: { data: { appCode: "forbidden", httpStatus: 403 } },
    });
  });

  test.each(foreign)("%s: health and any other path are forbidden", async (_name, headers) => {
    for (const path of ["/healthz", "/", "/export?sessionId=main&format=jsonl"]) {
      expect((await rawHttp(`${server.url}${path}`, { headers: { ...headers } })).status).toBe(403);
    }
  });

  test.each(foreign)("%s: an upgrade is forbidden", async (_name, headers) => {
    const frames = [params({ token })];
    expect(await socketEnd(socketUrl, { headers: { ...headers }, frames })).toMatchObject({
      code: null,
      status: 403,
    });
  });

  test.each(["localhost", "127.0.0.1", "[::1]"])(
    "%s with our port is not foreign",
    async (host) => {
      const own = `${host}:${server.port}`;
      const headers = { ...bearer(token), host: own, origin: `http://${own}` };
      expect((await rawHttp(`${server.url}/trpc/sessions.list`, { headers })).status).toBe(200);
    },
  );
});
