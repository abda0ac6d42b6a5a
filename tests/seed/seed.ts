/** Fills a new data folder with sessions to look at and to measure with. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { claimNode, openDatabase } from "@signalbox/db";
import { hostileTurn, toolSaying } from "./hostile.ts";
import { HOSTILE_MESSAGES } from "./hostile-corpus.ts";
import { Random } from "./random.ts";
import { SeedWriter } from "./seed-writer.ts";
import { askedAndAnswered, said, taskTitle, workTurn } from "./work.ts";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));
const DAY_MS = 24 * 60 * 60_000;

export const LONG_SESSION = "long-history";
export const HOSTILE_SESSION = "hostile";
export const CORPUS_SESSION = "corpus";
export const LATE_SESSION = "late-answer";

export interface SeedOptions {
  /** Must not exist yet. */
  dataDir: string;
  /** The working folder that the sessions name. */
  cwd: string;
  /** With the long and the hostile one. */
  sessions: number;
  /** Events of the long session, at least. */
  longEvents: number;
  nowMs: number;
  /** With every hostile message in every place, and a request that is answered late. */
  hasCorpus?: boolean;
}

/** @returns how many events were written */
export async function seed(options: SeedOptions): Promise<number> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(options.dataDir, "signalbox.db");
  const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  try {
    const owner = await claimNode(db, "seed", options.nowMs);
    const writer = new SeedWriter(db, owner);
    const random = new Random(7);
    let events = await seedLong(writer, random, options);
    events += await seedHostile(writer, options);
    if (options.hasCorpus === true) {
      events += await seedCorpus(writer, options);
      events += await seedLateAnswer(writer, options);
    }
    for (let index = 0; index < options.sessions - 2; index += 1) {
      events += await seedOrdinary(writer, random, index, options);
    }
    return events;
  } finally {
    await db.close();
  }
}

async function seedLong(writer: SeedWriter, random: Random, options: SeedOptions) {
  const { cwd, longEvents, nowMs } = options;
  const createdAtMs = nowMs - 20 * DAY_MS;
  const title = "A session of three weeks";
  await writer.open({ sessionId: LONG_SESSION, title, cwd, createdAtMs });
  const stepMs = Math.floor((19 * DAY_MS) / (longEvents / 20 + 1));
  let events = 0;
  for (let turn = 0; events < longEvents; turn += 1) {
    const atMs = createdAtMs + turn * stepMs;
    events += await writer.addTurn(LONG_SESSION, workTurn(random, atMs, 8));
  }
  await writer.setUsage(LONG_SESSION, 131_000, 412.5);
  return events;
}

async function seedHostile(writer: SeedWriter, { cwd, nowMs }: SeedOptions): Promise<number> {
  const createdAtMs = nowMs - DAY_MS;
  const title = '<img src=x onerror="alert(1)"> \u202etnatropmi';
  await writer.open({ sessionId: HOSTILE_SESSION, title, cwd, createdAtMs });
  return writer.addTurn(HOSTILE_SESSION, hostileTurn(createdAtMs));
}

/** The messages, and the same texts as titles, commands, paths, plans and output of tools. */
async function seedCorpus(writer: SeedWriter, { cwd, nowMs }: SeedOptions): Promise<number> {
  const title = '<img src=x onerror="document.title=1"> \u202esuproc';
  await writer.open({ sessionId: CORPUS_SESSION, title, cwd, createdAtMs: nowMs - DAY_MS });
  let events = 0;
  for (let from = 0; from < HOSTILE_MESSAGES.length; from += 100) {
    const texts = HOSTILE_MESSAGES.slice(from, from + 100);
    const updates = texts.flatMap((text, index) =>
      index % 5 === 4 ? toolSaying(text) : [said(text, 10)],
    );
    const turn = { ...hostileTurn(nowMs - DAY_MS + from), updates };
    events += await writer.addTurn(CORPUS_SESSION, turn);
  }
  return events;
}

/** A request, and its answer many events later. */
async function seedLateAnswer(writer: SeedWriter, { cwd, nowMs }: SeedOptions): Promise<number> {
  const atMs = nowMs - DAY_MS;
  await writer.open({ sessionId: LATE_SESSION, title: "Late answer", cwd, createdAtMs: atMs });
  const steps = Array.from({ length: 400 }, (_, index) => said(`Step ${index}.`, 10));
  const updates = askedAndAnswered("late", steps);
  return writer.addTurn(LATE_SESSION, { ...hostileTurn(atMs), updates });
}

async function seedOrdinary(
  writer: SeedWriter,
  random: Random,
  index: number,
  { cwd, nowMs }: SeedOptions,
): Promise<number> {
  const title = taskTitle(index);
  const sessionId = `${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "")}-${index}`;
  const createdAtMs = nowMs - random.whole(1, 14 * 24 * 60) * 60_000;
  await writer.open({ sessionId, title, cwd, createdAtMs });
  const turns = random.whole(1, 4);
  const spanMs = Math.min(nowMs - createdAtMs, DAY_MS);
  let events = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const atMs = createdAtMs + Math.floor((spanMs * turn) / turns);
    events += await writer.addTurn(sessionId, workTurn(random, atMs, random.whole(1, 6)));
  }
  await writer.setUsage(sessionId, random.whole(4_000, 190_000), random.whole(5, 900) / 100);
  return events;
}
