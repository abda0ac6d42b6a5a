import fs from "node:fs";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { pruneEventsInWrite } from "./retention.ts";
import { searchEvents, wordsOf } from "./search.ts";
import { appendEventsInWrite } from "./session-log.ts";
import { createSessionInWrite, deleteSessionInWrite } from "./sessions.ts";
import { MIGRATIONS_DIR, templateDatabase } from "./testing/index.ts";

const OWNER = { ownerId: "here", ownerEpoch: 1 };
const SEARCH_MIGRATION = "20261201000002_search";

function createSession(db: Database, sessionId: string): Promise<void> {
  const session = {
    sessionId,
    agent: "demo",
    cwd: "/",
    permissionPolicy: "ask" as const,
    additionalDirectories: "[]",
    mcpServers: "[]",
    skipOsInstructions: false,
    additionalInstructions: "",
    adopt: null,
    envSealed: null,
    ...OWNER,
  };
  const negotiated = { agentSessionId: sessionId, capabilities: "{}", agentInfo: null, fold: {} };
  return db.write((sqlite) => createSessionInWrite(sqlite, session, negotiated, 1));
}

function say(db: Database, sessionId: string, texts: readonly string[]): Promise<unknown> {
  const events = texts.map((text) => ({
    type: "agent_message_chunk",
    promptId: null,
    fields: JSON.stringify({ content: { type: "text", text } }),
    timestamp: 1,
  }));
  return db.write((sqlite) => appendEventsInWrite(sqlite, { sessionId, ...OWNER }, events));
}

async function foundSequences(db: Database, query: string): Promise<number[]> {
  const { hits } = await searchEvents(db, { words: wordsOf(query), limit: 20_000 });
  return hits.map(({ hit }) => hit.sequence);
}

/** What the index itself holds, whether or not its event still exists. */
function indexedCount(db: Database, word: string): Promise<unknown> {
  return db.read((sqlite) =>
    sqlite.prepare("SELECT count(*) FROM Search WHERE Search MATCH ?").pluck().get(word),
  );
}

test("ten thousand events are found each by its own word, and after cuts and deletions no others", async () => {
  await using ctx = await templateDatabase();
  const { db } = ctx;
  await createSession(db, "long");
  await createSession(db, "other");
  const texts = Array.from({ length: 10_000 }, (_, index) => `common word${index + 1}x`);
  await say(db, "long", texts);
  await say(db, "other", ["common here"]);
  expect(await indexedCount(db, "common")).toBe(10_001);
  for (const sequence of [1, 4_567, 10_000]) {
    expect(await foundSequences(db, `word${sequence}x`)).toEqual([sequence]);
  }

  const limits = { maxSessionHistoryEvents: 2_000, maxSessionHistoryBytes: 2 ** 30 };
  const target = { sessionId: "long", ...OWNER };
  while (await db.write((sqlite) => pruneEventsInWrite(sqlite, target, limits)));
  const kept = await db.read((sqlite) =>
    sqlite.prepare("SELECT count(*) FROM Event WHERE sessionId = 'long'").pluck().get(),
  );
  expect(kept).toBeLessThanOrEqual(2_000);
  expect(await indexedCount(db, "common")).toBe(Number(kept) + 1);
  expect(await foundSequences(db, "word1x")).toEqual([]);
  expect(await foundSequences(db, "word10000x")).toEqual([10_000]);

  const actor = { kind: "system", name: "test" } as const;
  await db.write((sqlite) =>
    deleteSessionInWrite(sqlite, { sessionId: "long", actor, address: null }, 2),
  );
  expect(await indexedCount(db, "common")).toBe(1);
  expect(await foundSequences(db, "common")).toEqual([1]);
});

test("history from before the index is found after its migration", async () => {
  await using ctx = await templateDatabase();
  const before = path.join(ctx.dir, "migrations-before");
  const later = fs.readdirSync(MIGRATIONS_DIR).filter((name) => name >= SEARCH_MIGRATION);
  fs.cpSync(MIGRATIONS_DIR, before, { recursive: true });
  for (const name of later.filter((each) => each !== "migration_lock.toml")) {
    fs.rmSync(path.join(before, name), { recursive: true });
  }
  const file = path.join(ctx.dir, "old.db");
  await (await openDatabase({ file, migrationsDir: before })).close();
  const old = new SqliteDatabase(file);
  old.exec(`
    INSERT INTO Session (sessionId, incarnation, agent, cwd, permissionPolicy, latestSequence,
      oldestSequence, createdAt, updatedAt, ownerId, ownerEpoch)
    VALUES ('main', 'i', 'demo', '/', 'ask', 4, 1, 1, 1, 'here', 1);
    INSERT INTO Event (sessionId, sequence, type, fields, timestamp) VALUES
      ('main', 1, 'user_message_chunk', '{"content":{"type":"text","text":"Früher said"}}', 1),
      ('main', 2, 'tool_call', '{"title":"Reading früher","rawOutput":"hidden"}', 1),
      ('main', 3, 'tool_call_update', '{"rawOutput":"früher"}', 1),
      ('main', 4, 'plan', '{"title":"früher"}', 1);`);
  old.close();
  const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  expect(await foundSequences(db, "fruher")).toEqual([2, 1]);
  expect(await foundSequences(db, "hidden")).toEqual([]);
  await db.close();
});
