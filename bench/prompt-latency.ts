/**
 * What a prompt costs over the WebSocket with an agent that answers at once, against three synced
 * commits of the same rows on the same disk, taken in turn with it.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import {
  acceptPromptInWrite,
  appendEventsInWrite,
  claimNode,
  createSessionInWrite,
  finishPromptInWrite,
  markDispatched,
  type NewPrompt,
} from "../packages/db/src/index.ts";
import { templateDatabase } from "../packages/db/src/testing/index.ts";
import { childAgent, ServerProcess } from "../tests/support/server-process.ts";
import { BENCH_SESSION } from "./bench-session.ts";
import { median, print, timeMs } from "./measure.ts";

const ROUNDS = 500;
/** Until the code of all three processes is compiled. */
const WARM_UP = 1_500;
const PAYLOAD = JSON.stringify({ content: { type: "text", text: "x".repeat(200) } });

/** Three commits with `synchronous=FULL`, each of a row of the size an event has. */
function threeCommits(dir: string): { run: () => void; close: () => void } {
  const db = new Database(path.join(dir, "commits.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE event (sequence INTEGER PRIMARY KEY, fields TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO event (fields) VALUES (?)");
  return {
    run: () => {
      for (let commit = 0; commit < 3; commit += 1) insert.run(PAYLOAD);
    },
    close: () => db.close(),
  };
}

/** The three commits of a prompt as Signalbox makes them: acceptance, dispatch mark, end. */
async function ownCommits(): Promise<{ run: () => Promise<void> } & AsyncDisposable> {
  const database = await templateDatabase();
  const { db } = database;
  const owner = await claimNode(db, "bench", Date.now());
  const sessionId = "main";
  const negotiated = { agentSessionId: "a", capabilities: null, agentInfo: null, fold: {} };
  await db.write((sqlite) =>
    createSessionInWrite(sqlite, { ...BENCH_SESSION, sessionId, ...owner }, negotiated, Date.now()),
  );
  const event = (promptId: string, type: string) => ({
    type,
    promptId,
    fields: PAYLOAD,
    timestamp: Date.now(),
  });
  return {
    run: async () => {
      const promptId = randomUUID();
      const target = { sessionId, promptId, ...owner };
      const prompt: NewPrompt = {
        ...target,
        idempotencyKey: null,
        contentHash: promptId,
        content: PAYLOAD,
        events: [event(promptId, "user_message_chunk")],
        whenBusy: "reject",
        maxQueued: 1,
        assertNew: () => undefined,
      };
      await db.write((sqlite) => acceptPromptInWrite(sqlite, prompt, Date.now()));
      await markDispatched(db, target, Date.now());
      await db.write((sqlite) => {
        const events = [event(promptId, "agent_message_chunk"), event(promptId, "turn_ended")];
        const { lastSequence } = appendEventsInWrite(sqlite, target, events);
        const end = { state: "completed", stopReason: "end_turn", error: null } as const;
        finishPromptInWrite(sqlite, { ...target, ...end, endSequence: lastSequence }, Date.now());
      });
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

export async function benchPromptLatency(): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-bench-"));
  const commits = threeCommits(dir);
  await using server = await ServerProcess.start({ agents: { echo: childAgent("echo") } });
  const client = await server.connect();
  await client.api.sessions.open.mutate({ agent: "echo" });
  const content = [{ type: "text", text: "ping" }];
  const prompts: number[] = [];
  const baselines: number[] = [];
  const owns: number[] = [];
  await using own = await ownCommits();
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const prompt = await timeMs(async () => {
      await client.api.sessions.prompt.mutate({ content });
    });
    const baseline = await timeMs(commits.run);
    const three = await timeMs(own.run);
    if (round < WARM_UP) continue;
    owns.push(three);
    prompts.push(prompt);
    baselines.push(baseline);
  }
  commits.close();
  fs.rmSync(dir, { recursive: true, force: true });
  const unit = median(baselines);
  const ms = (value: number) => `${value.toFixed(3)} ms`;
  print(`A prompt over the WebSocket, median of ${ROUNDS}`, [
    { name: "three synced commits of one row", ratio: null, value: ms(unit) },
    { name: "a prompt's own three commits", ratio: median(owns) / unit, value: ms(median(owns)) },
    { name: "prompt", ratio: median(prompts) / unit, value: ms(median(prompts)) },
    {
      name: "prompt, against its own three commits",
      ratio: median(prompts) / median(owns),
      value: ms(median(prompts)),
    },
    {
      name: "what a prompt costs above one-row commits",
      ratio: null,
      value: ms(median(prompts) - unit),
    },
  ]);
}
