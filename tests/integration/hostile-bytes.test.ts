import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(() => server[Symbol.asyncDispose]());

const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket";
const SOCKET_KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13";

/** Sends the head of a request as it stands; keeps its own side open when the server ends. */
async function opened(
  target: string,
  method = "GET",
  headers = "",
  host = `localhost:${server.port}`,
): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: server.port, allowHalfOpen: true });
  // A server that refuses bytes may reset the connection; what came before tells what it said.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`];
  if (headers !== "") lines.push(headers);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

async function firstLine(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  const ended = Promise.race([once(socket, "end"), once(socket, "close")]);
  await expect.poll(async () => text.includes("\r\n") || (await isSettled(ended))).toBe(true);
  socket.destroy();
  return text.split("\r\n")[0] ?? "";
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), turn]);
}

async function expectHealthy(): Promise<void> {
  expect(server.stderr).not.toMatch(/ error /);
  expect((await rawHttp(`${server.url}/healthz`)).status).toBe(200);
}

const NOT_PATHS = ["//", "///", "//[", "http://", "http://[", "http://localhost:99999/"];

test.each(NOT_PATHS)("an upgrade to %s is a bad request and ends no server", async (target) => {
  const socket = await opened(target, "GET", `${UPGRADE}\r\n${SOCKET_KEY}`);
  expect(await firstLine(socket)).toBe("HTTP/1.1 400 Bad Request");
  await expectHealthy();
});

test.each(NOT_PATHS)("a request for %s is a bad request", async (target) => {
  const socket = await opened(target);
  expect(await firstLine(socket)).toBe("HTTP/1.1 400 Bad Request");
  await expectHealthy();
});

test.each([
  ["without a key", "GET", UPGRADE],
  ["with a malformed key", "GET", `${UPGRADE}\r\nSec-WebSocket-Key: x`],
  ["with a malformed protocol", "GET", `${UPGRADE}\r\n${SOCKET_KEY}\r\nSec-WebSocket-Protocol: ,`],
  ["to another protocol", "GET", "Connection: Upgrade\r\nUpgrade: h2c"],
  ["with POST", "POST", `${UPGRADE}\r\n${SOCKET_KEY}`],
])("an upgrade %s ends no server", async (_name, method, headers) => {
  const socket = await opened("/trpc?connectionParams=1", method, headers);
  expect(await firstLine(socket)).toMatch(/^HTTP\/1\.1 4\d\d /);
  await expectHealthy();
});

test.each([
  ["bytes that are no frame", Buffer.from("\xff\xff\xff\xff no frame at all", "latin1")],
  ["a frame that is not masked", Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
  ["a text that is not UTF-8", Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe])],
  ["a close code that does not exist", Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0, 1])],
])("a socket that sends %s is closed and ends no server", async (_name, bytes) => {
  for (const target of ["/trpc", "/trpc?connectionParams=1"]) {
    const socket = await opened(target, "GET", `${UPGRADE}\r\n${SOCKET_KEY}`);
    const closed = once(socket.resume(), "end");
    socket.write(bytes);
    await closed;
    socket.destroy();
  }
  await expectHealthy();
});

test.each(["null", "[]", "[null]", '{"id":null}', '{"id":1,"method":"query"}', "42", "PING"])(
  "a socket without a token that says %s ends no server",
  async (text) => {
    for (const query of ["", "?connectionParams=1"]) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc${query}`);
      await once(socket, "open");
      socket.send(text);
      await once(socket, "close");
    }
    await expectHealthy();
  },
);

test("a body that breaks off ends no server", async () => {
  for (const target of ["/login", "/trpc/sessions.open"]) {
    const headers = "Content-Type: application/json\r\nContent-Length: 100";
    const socket = await opened(target, "POST", headers);
    socket.write('{"code":');
    socket.resetAndDestroy();
  }
  await expect.poll(async () => (await rawHttp(`${server.url}/healthz`)).status).toBe(200);
});

test("a refused upgrade is closed also when its peer keeps its own side open", async () => {
  const socket = await opened("/trpc", "GET", `${UPGRADE}\r\n${SOCKET_KEY}`, "evil.example");
  await once(socket.resume(), "end");
  // A half-closed connection would take bytes for ever; a closed one answers them with a reset.
  await expect
    .poll(() => {
      socket.write("x");
      return socket.errored !== null;
    })
    .toBe(true);
});

test("a peer that does not answer the close does not hold up a stop", {
  timeout: 15_000,
}, async () => {
  await using stopped = await ServerProcess.start();
  const socket = new WebSocket(`ws://127.0.0.1:${stopped.port}/trpc`, {
    headers: { authorization: `Bearer ${await stopped.adminToken()}` },
  });
  await once(socket, "open");
  socket.pause();
  expect(await stopped.term()).toEqual({ code: 0, signal: null });
  socket.terminate();
});
