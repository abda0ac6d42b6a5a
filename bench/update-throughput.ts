/** Updates from the pipe to the session's log, against `JSON.parse` of the same lines. */
import { Readable } from "node:stream";
import type { AgentTransport } from "../packages/acp-runtime/src/wire/agent-transport.ts";
import { openWire } from "../packages/acp-runtime/src/wire/agent-wire.ts";
import { median, print, timeMs } from "./measure.ts";

const LINES = 50_000;
const ROUNDS = 7;
const CHUNK_BYTES = 64 * 1024;

function lines(): string[] {
  return Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "agent-session",
        update: {
          sessionUpdate: "agent_message_chunk",
          messageId: "m1",
          content: { type: "text", text: `word ${index} ` },
        },
      },
    }),
  );
}

function transportOf(bytes: Buffer): AgentTransport {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  }
  return {
    stdout: Readable.from(chunks, { objectMode: false }),
    write: async () => undefined,
    endInput: () => undefined,
    pid: null,
    exited: new Promise(() => undefined),
    stderrTail: () => ({ text: "", truncated: false }),
    stop: async () => ({ code: 0, signal: null }),
  };
}

async function throughWire(bytes: Buffer): Promise<number> {
  let count = 0;
  const wire = openWire(
    transportOf(bytes),
    {
      onUpdate: () => {
        count += 1;
      },
      onNotification: () => undefined,
      onRequest: () => undefined,
      onNoise: () => undefined,
      onHandlerError: (error) => {
        throw error;
      },
    },
    { maxLineBytes: 1024 * 1024 },
  );
  await wire.closed;
  return count;
}

export async function benchUpdateThroughput(): Promise<void> {
  const source = lines();
  const bytes = Buffer.from(`${source.join("\n")}\n`);
  const parses: number[] = [];
  const wires: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    parses.push(
      await timeMs(() => {
        for (const line of source) JSON.parse(line);
      }),
    );
    wires.push(
      await timeMs(async () => {
        const count = await throughWire(bytes);
        if (count !== LINES) throw new Error(`${count} of ${LINES} updates came through`);
      }),
    );
  }
  const perSecond = (ms: number) => `${Math.round((LINES / ms) * 1000).toLocaleString("en")}/s`;
  const unit = median(parses);
  print(`${LINES.toLocaleString("en")} updates, median of ${ROUNDS}`, [
    { name: "JSON.parse of each line", ratio: null, value: perSecond(unit) },
    { name: "through the wire", ratio: median(wires) / unit, value: perSecond(median(wires)) },
  ]);
}
