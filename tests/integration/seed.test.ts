import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkInvariants, listSessionRows, openDatabase, readSession } from "@signalbox/db";
import { expect, onTestFinished, test } from "vitest";
import { HOSTILE_SESSION, LONG_SESSION, seed } from "../seed/seed.ts";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

test("what the seed writes is what the server would have written", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "signalbox-seed-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dataDir = path.join(root, "data");
  const options = { dataDir, cwd: root, sessions: 12, longEvents: 500, nowMs: Date.now() };
  const events = await seed(options);
  const db = await openDatabase({
    file: path.join(dataDir, "signalbox.db"),
    migrationsDir: MIGRATIONS_DIR,
  });
  onTestFinished(() => db.close());
  expect(await db.read((sqlite) => checkInvariants(sqlite))).toEqual([]);
  const rows = await listSessionRows(db, { limit: 100 });
  expect(rows).toHaveLength(12);
  expect((await readSession(db, LONG_SESSION)).latestSequence).toBeGreaterThanOrEqual(500);
  expect((await readSession(db, HOSTILE_SESSION)).latestSequence).toBeGreaterThan(15);
  expect(rows.reduce((sum, row) => sum + row.latestSequence, 0)).toBe(events);
});
