/** Tokens and logins: made, listed, revoked, and gone from everything they had open. */
import { once } from "node:events";
import { connect, type SignalboxClient } from "@signalbox/client";
import { SCOPES } from "@signalbox/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let client: SignalboxClient;

beforeAll(async () => {
  server = await ServerProcess.start({ server: { trustedProxy: true } });
  client = await server.connect();
});
afterAll(() => server[Symbol.asyncDispose]());

async function bad(call: Promise<unknown>, field: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ code: "bad_request" });
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(JSON.stringify(error) + String(error)).toContain(field);
}

test("a token's secret is shown once and opens what its scopes say", async () => {
  const { token, secret } = await client.api.tokens.create.mutate({
    name: "reader",
    scopes: ["R", "R"],
  });
  expect(token).toEqual({
    id: expect.any(String),
    name: "reader",
    scopes: ["R"],
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    lastUsedAt: null,
    expiresAt: null,
  });
  await using reader = connect({ url: server.url, token: secret });
  await reader.api.system.info.query({});
  await expect
    .poll(async () => {
      const { tokens } = await client.api.tokens.list.query({});
      return tokens.find(({ id }) => id === token.id)?.lastUsedAt;
    })
    .toEqual(expect.any(String));
  expect(JSON.stringify(await client.api.tokens.list.query({}))).not.toContain(secret);
});

describe("a token is refused", () => {
  test.each([
    [{ name: "", scopes: ["R"] }, "name"],
    [{ name: "   ", scopes: ["R"] }, "name"],
    [{ name: "x".repeat(101), scopes: ["R"] }, "name"],
    [{ name: "a\nb", scopes: ["R"] }, "name"],
    [{ name: "admin", scopes: ["R"] }, "name"],
    [{ name: "n", scopes: [] }, "scopes"],
    [{ name: "n", scopes: ["Z"] }, "scopes"],
    [{ name: "n", scopes: ["R"], expiresAt: "tomorrow" }, "expiresAt"],
    [{ name: "n", scopes: ["R"], expiresAt: "2020-01-01T00:00:00.000Z" }, "expiresAt"],
    [{ name: "n", scopes: ["R"], admin: true }, "admin"],
  ])("with %j, naming %s", async (input, field) => {
    const headers = { authorization: `Bearer ${await server.adminToken()}` };
    const body = JSON.stringify(input);
    const answer = await rawHttp(`${server.url}/trpc/tokens.create`, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { data: { appCode: "bad_request" } } });
    expect(answer.body).toContain(field);
  });
});

test("a revoked token's sockets and streams are closed, and its calls refused", async () => {
  const { token, secret } = await client.api.tokens.create.mutate({
    name: "short-lived",
    scopes: [...SCOPES],
  });
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`);
  await once(socket, "open");
  socket.send(JSON.stringify({ method: "connectionParams", data: { token: secret } }));
  const params = { path: "fleet.events", input: {} };
  socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method: "subscription", params }));
  await once(socket, "message");
  const stream = await fetch(`${server.url}/trpc/fleet.events`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const streamEnded = stream.body?.pipeTo(new WritableStream()).then(
    () => "ended",
    () => "ended",
  );
  const closed = once(socket, "close");
  await client.api.tokens.revoke.mutate({ id: token.id });
  expect((await closed)[0]).toBe(4401);
  expect(await streamEnded).toBe("ended");
  await using gone = connect({ url: server.url, token: secret });
  await expect(gone.api.sessions.list.query({})).rejects.toMatchObject({ code: "unauthorized" });
  await client.api.tokens.revoke.mutate({ id: token.id });
  const { tokens } = await client.api.tokens.list.query({});
  expect(tokens.map(({ id }) => id)).not.toContain(token.id);
});

test("a token that expires ends what it has open", async () => {
  const expiresAt = new Date(Date.now() + 1_500).toISOString();
  const { secret } = await client.api.tokens.create.mutate({ name: "e", scopes: ["R"], expiresAt });
  await using brief = connect({ url: server.url, token: secret });
  const items = brief.followFleet();
  await expect(items.next()).rejects.toMatchObject({ code: "unauthorized" });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
});

test("revoking what is not there names the id", async () => {
  await bad(client.api.tokens.revoke.mutate({ id: "nobody" }), "nobody");
  await bad(client.api.logins.revoke.mutate({ id: "nobody" }), "nobody");
});

test("the address that is written down is the one the operator's proxy gives", async () => {
  const headers = {
    authorization: `Bearer ${await server.adminToken()}`,
    "x-forwarded-for": "6.6.6.6, 203.0.113.9",
  };
  const body = JSON.stringify({ name: "proxied", scopes: ["R"] });
  const { status } = await rawHttp(`${server.url}/trpc/tokens.create`, { headers, body });
  expect(status).toBe(200);
  const { rows } = await client.api.audit.list.query({ limit: 1 });
  expect(rows).toMatchObject([
    {
      action: "tokens.create",
      actor: { kind: "token", name: "admin" },
      address: "203.0.113.9",
      outcome: "ok",
      details: { name: "proxied", scopes: ["R"] },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

test("the audit log is paged, newest first, each row once, and by session", async () => {
  for (let n = 0; n < 5; n += 1) {
    await client.api.tokens.create.mutate({ name: `t${n}`, scopes: ["R"] });
  }
  await client.api.sessions.open.mutate({ sessionId: "audited", agent: "demo" });
  await client.api.sessions.delete.mutate({ sessionId: "audited" });
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.api.audit.list.query({ cursor, limit: 3 });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  const { rows } = await client.api.audit.list.query({ sessionId: "audited" });
  expect(rows.map(({ action }) => action)).toEqual(["sessions.delete", "sessions.open"]);
  await expect(client.api.audit.list.query({ cursor: "x" })).rejects.toMatchObject({
    code: "invalid_list_cursor",
  });
  await expect(client.api.audit.list.query({ limit: 0 })).rejects.toMatchObject({
    code: "list_limit",
  });
});

test("a login holds for its own origin, is listed, and can be revoked", async () => {
  await using other = await ServerProcess.start({
    env: { SIGNALBOX_CONSOLE: "", SIGNALBOX_CONSOLE_URL: "http://127.0.0.1:9" },
  });
  const linkCode = () => /#code=(\S+)/.exec(other.stdout)?.[1];
  await expect.poll(linkCode).toBeDefined();
  const code = linkCode();
  const origin = other.url;
  const login = await rawHttp(`${origin}/login`, {
    headers: { origin },
    body: JSON.stringify({ code }),
  });
  const { secret } = login.json as { secret: string };
  const authorization = `Bearer ${secret}`;
  const path = "/trpc/logins.list";
  const { json } = await rawHttp(`${origin}${path}`, { headers: { authorization, origin } });
  const { logins } = (json as { result: { data: { logins: { id: string }[] } } }).result.data;
  expect(logins).toMatchObject([{ origin, address: expect.stringContaining("127.0.0.1") }]);
  const local = origin.replace("127.0.0.1", "localhost");
  const elsewhere = { authorization, origin: local, host: new URL(local).host };
  expect((await rawHttp(`${origin}${path}`, { headers: elsewhere })).status).toBe(401);
  const body = JSON.stringify({ id: logins[0]?.id });
  const headers = { authorization, origin };
  expect((await rawHttp(`${origin}/trpc/logins.revoke`, { headers, body })).status).toBe(200);
  expect((await rawHttp(`${origin}${path}`, { headers })).status).toBe(401);
});
