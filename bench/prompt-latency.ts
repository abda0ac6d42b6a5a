/**
 * What a prompt costs over the WebSocket with an agent that answers at once, against three synced
 * commits of the same rows on the same disk, taken in turn with it.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { childAgent, ServerProcess } from "../tests/support/server-process.ts";
import { median, print, timeMs } from "./measure.ts";

const ROUNDS = 300;
const WARM_UP = 100;
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

export async function benchPromptLatency(): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-bench-"));
  const commits = threeCommits(dir);
  await using server = await ServerProcess.start({ agents: { echo: childAgent("echo") } });
  const client = await server.connect();
  await client.api.sessions.open.mutate({ agent: "echo" });
  const content = [{ type: "text", text: "ping" }];
  const prompts: number[] = [];
  const baselines: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const prompt = await timeMs(async () => {
      await client.api.sessions.prompt.mutate({ content });
    });
    const baseline = await timeMs(commits.run);
    if (round < WARM_UP) continue;
    prompts.push(prompt);
    baselines.push(baseline);
  }
  commits.close();
  fs.rmSync(dir, { recursive: true, force: true });
  const unit = median(baselines);
  print(`A prompt over the WebSocket, median of ${ROUNDS}`, [
    { name: "three synced commits", ratio: null, value: `${unit.toFixed(3)} ms` },
    { name: "prompt", ratio: median(prompts) / unit, value: `${median(prompts).toFixed(3)} ms` },
  ]);
}
