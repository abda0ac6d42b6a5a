/** Readers that stop reading: what they cost, what they lose, and what others notice. */
import { once } from "node:events";
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { childAgent, ServerProcess } from "../support/server-process.ts";

const EVENTS = 600;
const EVENT_BYTES = 100_000;
const STALLED = 6;

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start({ agents: { large: childAgent("large", String(EVENTS)) } });
});
afterAll(() => server[Symbol.asyncDispose]());

const residentBytes = (): number => {
  const status = fs.readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
};

class Reader {
  readonly socket: WebSocket;
  readonly sequences: number[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const { result } = JSON.parse(data.toString());
      const sequence = result?.data?.data?.sequence;
      if (typeof sequence === "number") this.sequences.push(sequence);
    });
  }

  static async open(token: string): Promise<Reader> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/trpc?connectionParams=1`);
    await once(socket, "open");
    const reader = new Reader(socket);
    socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
    const params = { path: "sessions.events", input: { after: 0 } };
    socket.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method: "subscription", params }));
    await once(socket, "message");
    return reader;
  }
}

test("readers that stall cost the server little, lose nothing, and hold up nobody", async () => {
  const client = await server.connect();
  await client.api.sessions.open.mutate({ agent: "large" });
  const token = await server.adminToken();
  const readers = await Promise.all(Array.from({ length: STALLED }, () => Reader.open(token)));
  const watching = await Reader.open(token);
  for (const { socket } of readers) socket.pause();
  const before = residentBytes();
  expect((await client.prompt({ text: "go" })).stopReason).toBe("end_turn");
  await expect.poll(() => watching.sequences.length).toBe(EVENTS + 2);
  // Kept for each of them, what they did not read would be several times this.
  expect(residentBytes() - before).toBeLessThan((STALLED * EVENTS * EVENT_BYTES) / 2);
  for (const { socket } of readers) socket.resume();
  const all = Array.from({ length: EVENTS + 2 }, (_, index) => index + 1);
  for (const reader of [watching, ...readers]) {
    await expect.poll(() => reader.sequences.length).toBe(EVENTS + 2);
    expect(reader.sequences).toEqual(all);
    reader.socket.terminate();
  }
});
