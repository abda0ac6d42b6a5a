/** The write-ahead log: emptied in pauses, cut when it has grown, and never waited for. */
import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase, prepareCached, type Sqlite } from "./database.ts";
import { MIGRATIONS_DIR, type TemplateDatabase, templateDatabase } from "./testing/index.ts";

const MIB = 1024 * 1024;
const NEVER_MS = 1_000_000;

const insert =
  (name: string, bytes = 1) =>
  (sqlite: Sqlite) =>
    prepareCached(sqlite, "INSERT INTO Setting VALUES (?, ?)").run(name, "x".repeat(bytes));

const namesIn = (sqlite: Sqlite) =>
  sqlite.prepare("SELECT name FROM Setting ORDER BY name").pluck().all();

/** What is in the file itself, without its log. */
function namesInFile(ctx: TemplateDatabase): unknown[] {
  const copy = `${ctx.dir}/copy.db`;
  fs.copyFileSync(ctx.file, copy);
  const sqlite = new SqliteDatabase(copy);
  try {
    return namesIn(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Another process's read, which holds the state that it saw first. */
function longRead(ctx: TemplateDatabase): Sqlite {
  const sqlite = new SqliteDatabase(ctx.file, { readonly: true });
  onTestFinished(() => void sqlite.close());
  sqlite.exec("BEGIN");
  namesIn(sqlite);
  return sqlite;
}

test("what was written is in the file when writing pauses", async () => {
  await using ctx = await templateDatabase({ log: { idleMs: 1 } });
  await ctx.db.write(insert("a"));
  await expect.poll(() => namesInFile(ctx)).toEqual(["a"]);
});

test("a log that grew under a long read is cut when the reader lets go, and that is told", async () => {
  const troubles: unknown[] = [];
  await using ctx = await templateDatabase({
    log: { idleMs: 1, retryMs: 1, keptBytes: MIB },
    onLogTrouble: (error) => troubles.push(error),
  });
  const reader = longRead(ctx);
  await ctx.db.write(insert("a", 3 * MIB));
  await expect.poll(() => troubles.length).toBe(1);
  expect(String(troubles[0])).toMatch(/log has \d{7} bytes.*another process/);
  expect(ctx.db.walBytes).toBeGreaterThan(3 * MIB);
  expect(namesIn(reader)).toEqual([]);
  reader.exec("COMMIT");
  await expect.poll(() => ctx.db.walBytes).toBe(0);
  expect(namesInFile(ctx)).toEqual(["a"]);
  expect(troubles).toHaveLength(1);
});

test("a reader of the newest state is not waited for either, and later waits are as before", async () => {
  const troubles: unknown[] = [];
  await using ctx = await templateDatabase({
    log: { idleMs: 1, retryMs: NEVER_MS, keptBytes: 0 },
    onLogTrouble: (error) => troubles.push(error),
  });
  await ctx.db.write(insert("a"));
  const reader = longRead(ctx);
  await expect.poll(() => troubles.length).toBe(1);
  expect(namesInFile(ctx)).toEqual(["a"]);
  const busyTimeout = await ctx.db.write((s) => Number(s.pragma("busy_timeout", { simple: true })));
  expect(busyTimeout).toBe(1_000);
  reader.exec("COMMIT");
});

test("a log in use is begun anew between its readers, so that it stays small without a pause", async () => {
  await using ctx = await templateDatabase({ log: { idleMs: NEVER_MS, keptBytes: 8 * MIB } });
  const sizes: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    await ctx.db.write(insert(`${n}`, MIB));
    await ctx.db.read(namesIn);
    sizes.push(ctx.db.walBytes);
  }
  expect(Math.max(...sizes)).toBeLessThan(8 * MIB);
});

test("one large write's log is cut by the next, without a pause", async () => {
  await using ctx = await templateDatabase({ log: { idleMs: NEVER_MS, keptBytes: MIB } });
  await ctx.db.write(insert("a", 6 * MIB));
  expect(ctx.db.walBytes).toBeGreaterThan(6 * MIB);
  await ctx.db.write(insert("b"));
  expect(ctx.db.walBytes).toBeLessThanOrEqual(MIB);
});

test("a log that a kill left behind is in the file after the next start", async () => {
  await using ctx = await templateDatabase({ log: { idleMs: NEVER_MS } });
  await ctx.db.write(insert("a", 3 * MIB));
  const file = `${ctx.dir}/killed.db`;
  fs.copyFileSync(ctx.file, file);
  fs.copyFileSync(`${ctx.file}-wal`, `${file}-wal`);
  const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  expect(db.walBytes).toBe(0);
  expect(await db.read(namesIn)).toEqual(["a"]);
  await db.close();
});

test("no timer is left when the database closes before the pause", async () => {
  const ctx = await templateDatabase({ log: { idleMs: NEVER_MS } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await ctx.db.write(insert("a"));
  // The pause begins when whoever waited for the write has gone on.
  await setImmediate();
  expect(vi.getTimerCount()).toBe(1);
  await ctx[Symbol.asyncDispose]();
  expect(vi.getTimerCount()).toBe(0);
});
