/** Every procedure, over every way in, with every kind of token that is not enough. */

import { once } from "node:events";
import { appRouter } from "@signalbox/api";
import { connect, type SignalboxClient } from "@signalbox/client";
import { SCOPES, type Scope } from "@signalbox/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

/** What a token needs for each procedure; one that is missing here fails the first test. */
const NEEDS: Record<string, Scope | null> = {
  "agents.authenticate": "X",
  "agents.check": "X",
  "agents.list": "R",
  "agents.listSessions": "X",
  "agents.processes": "R",
  "agents.stderr": "R",
  "audit.list": "X",
  "fleet.events": "R",
  "logins.createLink": "X",
  "logins.list": "X",
  "logins.revoke": "X",
  "permissions.pending": "R",
  "permissions.respond": "A",
  "questions.pending": "R",
  "questions.respond": "A",
  "sessions.agentInfo": "R",
  "sessions.awaitPrompt": "R",
  "sessions.cancelPrompt": "P",
  "sessions.capabilities": "R",
  "sessions.config": "R",
  "sessions.delete": "X",
  "sessions.events": "R",
  "sessions.export": "R",
  "sessions.get": "R",
  "sessions.history": "R",
  "sessions.list": "R",
  "sessions.open": "P",
  "sessions.prompt": "P",
  "sessions.rotateEnv": "P",
  "sessions.search": "R",
  "sessions.setConfigOption": "P",
  "sessions.submitPrompt": "P",
  "sessions.unload": "P",
  "system.health": null,
  "system.info": "R",
  "tokens.create": "X",
  "tokens.list": "X",
  "tokens.revoke": "X",
  "usage.summary": "R",
};

/** query, mutation or subscription, by the path; tRPC keeps a flat list beside its typed tree. */
const typeOf: Record<string, string> = Object.fromEntries(
  Object.entries<unknown>(Object(appRouter._def.procedures)).map(([path, procedure]) => [
    path,
    String(Reflect.get(Object(Reflect.get(Object(procedure), "_def")), "type")),
  ]),
);
const guarded = Object.entries(NEEDS).filter(
  (entry): entry is [string, Scope] => entry[1] !== null,
);

let server: ServerProcess;
let client: SignalboxClient;
/** A token for each set of scopes that lacks exactly one. */
const lacking = new Map<Scope, string>();
let revoked: string;

beforeAll(async () => {
  server = await ServerProcess.start();
  client = await server.connect();
  for (const scope of SCOPES) {
    const scopes = SCOPES.filter((other) => other !== scope);
    const { secret } = await client.api.tokens.create.mutate({ name: `no ${scope}`, scopes });
    lacking.set(scope, secret);
  }
  const made = await client.api.tokens.create.mutate({ name: "gone", scopes: [...SCOPES] });
  await client.api.tokens.revoke.mutate({ id: made.token.id });
  revoked = made.secret;
});
afterAll(() => server[Symbol.asyncDispose]());

const data = (appCode: string, httpStatus: number) => ({
  appCode,
  details: appCode === "forbidden" ? expect.anything() : null,
  retryable: false,
  httpStatus,
});

/** One call over HTTP as its kind asks for, alone or in a batch. */
async function overHttp(path: string, secret: string | null, isBatch: boolean) {
  const isMutation = typeOf[path] === "mutation";
  const query = isBatch ? "?batch=1" : "";
  const input = isBatch ? '{"0":{}}' : "{}";
  const headers: Record<string, string> =
    secret === null ? {} : { authorization: `Bearer ${secret}` };
  const url = `${server.url}/trpc/${path}${query}`;
  const answer = isMutation
    ? await rawHttp(url, { headers, body: input })
    : await rawHttp(`${url}${isBatch ? "&" : "?"}input=${encodeURIComponent(input)}`, { headers });
  // A stream tells a failure as one of its events.
  const failed = /^event: serialized-error\ndata: (.*)$/m.exec(answer.body)?.[1];
  if (failed !== undefined) return { error: JSON.parse(failed) };
  return isBatch ? [answer.json].flat()[0] : answer.json;
}

/** One call over a socket of its own; the close code when the socket was closed instead. */
async function overSocket(path: string, secret: string | null): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`);
  await once(socket, "open");
  const ended = new Promise((resolve) => {
    socket.once("close", (code) => resolve({ closed: code }));
    socket.on("message", (message) => {
      const answer = JSON.parse(message.toString());
      if ("error" in answer || "result" in answer) resolve(answer);
    });
  });
  const params = secret === null ? null : { token: secret };
  socket.send(JSON.stringify({ method: "connectionParams", data: params }));
  const method = typeOf[path];
  socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method, params: { path, input: {} } }));
  try {
    return await ended;
  } finally {
    socket.terminate();
  }
}

test("the scope of every procedure is written down", () => {
  expect(Object.keys(typeOf).sort()).toEqual(Object.keys(NEEDS).sort());
});

describe.each(guarded)("%s", (path, scope) => {
  test("is refused without a valid token, over every way in", async () => {
    for (const secret of [null, "sb_token_wrong", revoked]) {
      for (const isBatch of [false, true]) {
        const answer = await overHttp(path, secret, isBatch);
        expect(answer).toMatchObject({ error: { data: data("unauthorized", 401) } });
      }
      const answer = await overSocket(path, secret);
      expect([{ closed: 4401 }, { error: { data: data("unauthorized", 401) } }]).toContainEqual(
        "closed" in (answer as object)
          ? answer
          : { error: { data: (answer as { error: { data: unknown } }).error.data } },
      );
    }
  });

  test("is forbidden with every scope but its own, over every way in", async () => {
    const secret = lacking.get(scope) ?? "";
    const refusal = {
      error: {
        data: { ...data("forbidden", 403), details: { required: [scope], missing: [scope] } },
      },
    };
    expect(await overHttp(path, secret, false)).toMatchObject(refusal);
    const inBatch = typeOf[path] === "subscription" ? data("bad_request", 400) : refusal.error.data;
    expect(await overHttp(path, secret, true)).toMatchObject({ error: { data: inBatch } });
    expect(await overSocket(path, secret)).toMatchObject(refusal);
  });
});

test("health is open to all", async () => {
  const { status } = await rawHttp(`${server.url}/trpc/system.health`);
  expect(status).toBe(200);
});

test("a token with one scope may do what that scope is for, and no more", async () => {
  const { secret } = await client.api.tokens.create.mutate({ name: "reader", scopes: ["R"] });
  await using reader = connect({ url: server.url, token: secret });
  expect((await reader.api.sessions.list.query({})).sessions).toEqual([]);
  await expect(reader.api.sessions.unload.mutate({})).rejects.toMatchObject({ code: "forbidden" });
});
