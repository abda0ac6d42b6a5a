/** Ten thousand strangers at once: what they cost, and what the others notice. */
import fs from "node:fs";
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { socketAnswers } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

const ATTEMPTS = 10_000;
const AT_ONCE = 100;
/** The strangers' side of the loopback network; callers are on 127.0.0.1. */
const STRANGERS = "127.0.0.2";
const MAX_COST_BYTES = 200 * 1024 * 1024;

let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(() => server[Symbol.asyncDispose]());

function figureOf(file: string, pattern: RegExp): number {
  return Number(pattern.exec(fs.readFileSync(`/proc/${server.pid}/${file}`, "utf8"))?.[1]);
}

const residentBytes = () => figureOf("status", /VmRSS:\s+(\d+) kB/) * 1024;
const descriptors = () => fs.readdirSync(`/proc/${server.pid}/fd`).length;

/** Every other one asks for a socket; none says anything more, and all stay as long as they may. */
class Flood {
  open = 0;
  attempts = 0;
  answers = new Map<string, number>();

  async run(): Promise<void> {
    const lanes = Array.from({ length: AT_ONCE }, async () => {
      while (this.attempts < ATTEMPTS) {
        this.attempts += 1;
        await this.#attempt(this.attempts % 2 === 0);
      }
    });
    await Promise.all(lanes);
  }

  #attempt(asksForSocket: boolean): Promise<void> {
    return new Promise((resolve) => {
      const socket = net.connect({ host: "127.0.0.1", port: server.port, localAddress: STRANGERS });
      socket.on("error", () => {});
      socket.once("connect", () => {
        this.open += 1;
        socket.once("close", () => {
          this.open -= 1;
        });
        if (asksForSocket) socket.write(upgradeRequest(server.port));
        else resolve();
      });
      socket.on("data", (data) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1];
        if (status) this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
        resolve();
      });
      socket.once("close", () => resolve());
    });
  }
}

function upgradeRequest(port: number): string {
  return [
    "GET /trpc?connectionParams=1 HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "\r\n",
  ].join("\r\n");
}

test("ten thousand strangers cost bounded memory, and a caller is heard at any time", async () => {
  const client = await server.connect();
  const token = await server.adminToken();
  await client.api.sessions.open.mutate({ agent: "demo" });
  await client.prompt({ text: "/say before" });
  const [bytesBefore, descriptorsBefore] = [residentBytes(), descriptors()];
  const flood = new Flood();
  let isOver = false;
  let mostBytes = 0;
  let mostDescriptors = 0;
  const running = flood.run().finally(() => {
    isOver = true;
  });
  let rounds = 0;
  while (!isOver) {
    const frame = [{ id: 1, jsonrpc: "2.0", method: "query", params: { path: "system.info" } }];
    expect(await socketAnswers(server.url, token, frame)).toMatchObject([{ id: 1, result: {} }]);
    expect(await client.prompt({ text: "/say during" })).toMatchObject({ stopReason: "end_turn" });
    mostBytes = Math.max(mostBytes, residentBytes());
    mostDescriptors = Math.max(mostDescriptors, descriptors());
    rounds += 1;
  }
  await running;
  expect(flood.attempts).toBe(ATTEMPTS);
  expect(rounds).toBeGreaterThan(0);
  expect(mostBytes - bytesBefore).toBeLessThan(MAX_COST_BYTES);
  expect(mostDescriptors - descriptorsBefore).toBeLessThan(ATTEMPTS / 2.5);
  await expect.poll(() => flood.open, { timeout: 60_000, interval: 200 }).toBe(0);
}, 240_000);
