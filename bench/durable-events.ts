/** Durable events per second through the group-commit queue, against the raw driver. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import {
  appendEventsInWrite,
  claimNode,
  createSessionInWrite,
  type NewEvent,
} from "../packages/db/src/index.ts";
import { templateDatabase } from "../packages/db/src/testing/index.ts";
import { BENCH_SESSION } from "./bench-session.ts";
import { type Figure, median, print, timeMs } from "./measure.ts";

const BATCH_SIZES = [1, 10, 100];
const BATCHES = 200;
const ROUNDS = 5;
const FIELDS = JSON.stringify({ content: { type: "text", text: "x".repeat(350) }, messageId: "m" });

function rawDriver(dir: string) {
  const db = new Database(path.join(dir, "raw.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(`CREATE TABLE event (sessionId TEXT NOT NULL, sequence INTEGER NOT NULL, promptId TEXT,
    type TEXT NOT NULL, fields TEXT NOT NULL, timestamp INTEGER NOT NULL,
    PRIMARY KEY (sessionId, sequence))`);
  const insert = db.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
  let sequence = 0;
  const append = db.transaction((size: number) => {
    for (let row = 0; row < size; row += 1) {
      sequence += 1;
      insert.run("main", sequence, null, "agent_message_chunk", FIELDS, Date.now());
    }
  });
  return { append: (size: number) => append.immediate(size), close: () => db.close() };
}

function events(size: number): NewEvent[] {
  return Array.from({ length: size }, () => ({
    type: "agent_message_chunk",
    promptId: null,
    fields: FIELDS,
    timestamp: Date.now(),
  }));
}

export async function benchDurableEvents(): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-bench-"));
  const raw = rawDriver(dir);
  await using ours = await templateDatabase();
  const owner = await claimNode(ours.db, "bench", Date.now());
  const negotiated = { agentSessionId: "a", capabilities: null, agentInfo: null, fold: {} };
  await ours.db.write((sqlite) =>
    createSessionInWrite(sqlite, { ...BENCH_SESSION, ...owner }, negotiated, Date.now()),
  );
  const target = { sessionId: "main", ...owner };
  const figures: Figure[] = [];
  for (const size of BATCH_SIZES) {
    const rawMs: number[] = [];
    const oursMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rawMs.push(
        await timeMs(() => {
          for (let batch = 0; batch < BATCHES; batch += 1) raw.append(size);
        }),
      );
      oursMs.push(
        await timeMs(async () => {
          for (let batch = 0; batch < BATCHES; batch += 1) {
            await ours.db.write((sqlite) => appendEventsInWrite(sqlite, target, events(size)));
          }
        }),
      );
    }
    const perSecond = (ms: number) =>
      `${Math.round((size * BATCHES * 1000) / ms).toLocaleString("en")}/s`;
    const unit = median(rawMs);
    figures.push(
      { name: `raw driver, batches of ${size}`, ratio: null, value: perSecond(unit) },
      {
        name: `ours, batches of ${size}`,
        ratio: median(oursMs) / unit,
        value: perSecond(median(oursMs)),
      },
    );
  }
  raw.close();
  fs.rmSync(dir, { recursive: true, force: true });
  print(
    `Durable events, median of ${ROUNDS} rounds (time, as a multiple of the raw driver's)`,
    figures,
  );
}
