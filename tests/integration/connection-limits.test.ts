/** What strangers and tokens may have open at the same time. */
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

const MAX_WAITING = 5;
const MAX_SOCKETS = 3;
const MAX_SUBSCRIPTIONS = 2;

let server: ServerProcess;
let token: string;

beforeAll(async () => {
  server = await ServerProcess.start({
    connectionLimits: {
      maxWaitingSockets: MAX_WAITING,
      maxSocketsPerToken: MAX_SOCKETS,
      maxSubscriptionsPerToken: MAX_SUBSCRIPTIONS,
    },
  });
  token = await server.adminToken();
});
afterAll(() => server[Symbol.asyncDispose]());

async function silentSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`);
  await once(socket, "open");
  return socket;
}

/** Sends calls behind the token, and resolves with the first answers. */
async function ask(socket: WebSocket, paths: string[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  socket.on("message", (data) => answers.push(JSON.parse(data.toString())));
  socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
  for (const [at, path] of paths.entries()) {
    const method = path.endsWith(".events") ? "subscription" : "query";
    const call = { id: at + 1, jsonrpc: "2.0", method, params: { path, input: {} } };
    socket.send(JSON.stringify(call));
  }
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(paths.length);
  return answers;
}

async function gone(socket: WebSocket): Promise<void> {
  const closed = once(socket, "close");
  socket.close();
  await closed;
}

function overLimit(name: string, max: number) {
  const details = { limit: `limits.connections.${name}`, max, actual: max + 1 };
  const data = { appCode: "limit_exceeded", details, retryable: expect.any(Boolean) };
  return { error: { data: { ...data, httpStatus: 429 } } };
}

test("however many silent sockets come, a caller with a token is heard, and none stays", async () => {
  const codes: number[] = [];
  let taken = 0;
  for (let n = 0; n < 4 * MAX_WAITING; n += 1) {
    const socket = await silentSocket().catch(() => null);
    socket?.on("close", (code) => codes.push(code));
    if (socket) taken += 1;
  }
  expect(taken).toBeGreaterThanOrEqual(MAX_WAITING);
  await expect.poll(callerIsHeard, { timeout: 20_000 }).toBe(true);
  await expect.poll(() => codes.length, { timeout: 20_000 }).toBe(taken);
  expect(new Set(codes)).toEqual(new Set([4401]));
}, 60_000);

async function callerIsHeard(): Promise<boolean> {
  const caller = await silentSocket().catch(() => null);
  if (!caller) return false;
  expect(await ask(caller, ["system.info"])).toMatchObject([{ id: 1, result: {} }]);
  await gone(caller);
  return true;
}

test("a token has no more sockets open than it may, and gets the place of one that closed", async () => {
  const open: WebSocket[] = [];
  for (let n = 0; n < MAX_SOCKETS; n += 1) {
    const socket = await silentSocket();
    expect(await ask(socket, ["system.info"])).toMatchObject([{ result: {} }]);
    open.push(socket);
  }
  const oneMore = await silentSocket();
  const closed = once(oneMore, "close");
  const [refusal] = await ask(oneMore, ["system.info"]);
  expect(refusal).toMatchObject(overLimit("maxSocketsPerToken", MAX_SOCKETS));
  await closed;
  await Promise.all(open.map(gone));
  await expect
    .poll(async () => {
      const socket = await silentSocket();
      const [answer] = await ask(socket, ["system.info"]);
      await gone(socket);
      return answer;
    })
    .toMatchObject({ result: {} });
});

test("a token follows no more than it may, over sockets and streams together", async () => {
  const socket = await silentSocket();
  const paths = Array.from({ length: MAX_SUBSCRIPTIONS }, () => "fleet.events");
  const answers = await ask(socket, paths);
  expect(JSON.stringify(answers)).not.toContain("limit_exceeded");
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await rawHttp(`${server.url}/trpc/fleet.events`, { headers });
  const failed = /^event: serialized-error\ndata: (.*)$/m.exec(body)?.[1] ?? "{}";
  expect({ error: JSON.parse(failed) }).toMatchObject(
    overLimit("maxSubscriptionsPerToken", MAX_SUBSCRIPTIONS),
  );
  await gone(socket);
  await expect
    .poll(async () => {
      const again = await silentSocket();
      const [answer] = await ask(again, ["fleet.events"]);
      await gone(again);
      return answer;
    })
    .toMatchObject({ result: {} });
});
