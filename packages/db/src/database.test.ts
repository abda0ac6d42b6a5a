import fs from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { openDatabase, prepareCached, type Sqlite } from "./database.ts";
import { startChild } from "./testing/child.ts";
import { MIGRATIONS_DIR, templateDatabase } from "./testing/index.ts";

const settingsOf = (sqlite: Sqlite) => ({
  journal_mode: sqlite.pragma("journal_mode", { simple: true }),
  synchronous: Number(sqlite.pragma("synchronous", { simple: true })),
  foreign_keys: Number(sqlite.pragma("foreign_keys", { simple: true })),
  busy_timeout: Number(sqlite.pragma("busy_timeout", { simple: true })),
});

test("both connections of a reopened database are durable", async () => {
  await using ctx = await templateDatabase();
  await ctx.db.close();
  const db = await openDatabase({ file: ctx.file, migrationsDir: MIGRATIONS_DIR });
  const durable = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 1000 };
  expect(await db.write(settingsOf)).toEqual(durable);
  expect(await db.read(settingsOf)).toEqual(durable);
  await db.close();
});

test("everything acknowledged before a kill is there afterwards", async () => {
  await using ctx = await templateDatabase();
  await ctx.db.close();
  await using writer = startChild("./endless-writer.ts", [ctx.file, MIGRATIONS_DIR]);
  const acknowledged: string[] = [];
  for await (const name of writer.lines) {
    acknowledged.push(name);
    if (acknowledged.length === 200) await writer.kill();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  const db = await openDatabase({ file: ctx.file, migrationsDir: MIGRATIONS_DIR });
  const kept = await db.read((s) => s.prepare("SELECT name FROM Setting").pluck().all());
  await db.close();
  expect(kept).toEqual(expect.arrayContaining(acknowledged));
});

test.each([
  '{"b":1,"a":[1.0,1e400,-0,12345678901234567890],"a":"twice"}',
  '"\\u0000 \\ud800 \\/ \u2028 😀 \u0000 end"',
  ` { "spaced" :\t[ ] } `,
])("payload text %# comes back as it went in", async (payload) => {
  await using ctx = await templateDatabase();
  await ctx.db.write((sqlite) =>
    prepareCached(sqlite, "INSERT INTO Setting VALUES ('raw', ?)").run(payload),
  );
  await ctx.db.prisma.setting.create({ data: { name: "prisma", value: payload } });
  const rows = await ctx.db.read((s) =>
    prepareCached(s, "SELECT value FROM Setting").pluck().all(),
  );
  expect(rows).toEqual([payload, payload]);
  expect(await ctx.db.prisma.setting.findUnique({ where: { name: "raw" } })).toEqual({
    name: "raw",
    value: payload,
  });
});

test("integers are numbers in raw statements and bigint through Prisma", async () => {
  await using ctx = await templateDatabase();
  const at = 1_796_000_000_123;
  await ctx.db.write((sqlite) =>
    prepareCached(sqlite, "INSERT INTO Tombstone VALUES ('s', 7, ?)").run(at),
  );
  const select = (s: Sqlite) => prepareCached(s, "SELECT * FROM Tombstone").get();
  const row = { sessionId: "s", lastSequence: 7, deletedAt: at };
  expect(await ctx.db.read(select)).toEqual(row);
  expect(await ctx.db.write(select)).toEqual(row);
  expect(await ctx.db.prisma.tombstone.findFirst()).toEqual({ ...row, deletedAt: BigInt(at) });
});

test("a read cannot write", async () => {
  await using ctx = await templateDatabase();
  const write = ctx.db.read((sqlite) => sqlite.exec("DELETE FROM Setting"));
  await expect(write).rejects.toMatchObject({ cause: { code: "SQLITE_READONLY" } });
  expect(await ctx.db.read((s) => s.prepare("SELECT 1").pluck().get())).toBe(1);
});

test("closing folds the log into the file, even while somebody looks on", async () => {
  await using ctx = await templateDatabase();
  await ctx.db.write((sqlite) => sqlite.exec("INSERT INTO Setting VALUES ('a', '')"));
  const onlooker = new SqliteDatabase(ctx.file, { readonly: true });
  onlooker.prepare("SELECT name FROM Setting").all();
  expect(fs.statSync(`${ctx.file}-wal`).size).toBeGreaterThan(0);
  await Promise.all([ctx.db.close(), ctx.db.close()]);
  expect(fs.statSync(`${ctx.file}-wal`).size).toBe(0);
  onlooker.close();
});

test("a new database can be read by this account alone, its log too", async () => {
  await using ctx = await templateDatabase();
  const file = `${ctx.dir}/new.db`;
  const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
  for (const name of [file, `${file}-wal`, `${file}-shm`]) {
    expect(fs.statSync(name).mode & 0o777).toBe(0o600);
  }
  await db.close();
});

test("a second process may look on without writing", async () => {
  await using ctx = await templateDatabase();
  await ctx.db.write((sqlite) => sqlite.exec("INSERT INTO Setting VALUES ('a', '')"));
  const options = { file: ctx.file, migrationsDir: MIGRATIONS_DIR, readonly: true };
  const onlooker = await openDatabase(options);
  expect(await onlooker.read((s) => s.prepare("SELECT name FROM Setting").pluck().all())).toEqual([
    "a",
  ]);
  await expect(onlooker.write((s) => s.exec("DELETE FROM Setting"))).rejects.toThrow(/readonly/);
  await onlooker.close();
});

function damage(file: string, change: (bytes: Buffer) => Buffer): void {
  fs.writeFileSync(file, change(fs.readFileSync(file)));
}

test.each([
  ["is no database", () => Buffer.from("something else entirely, longer than a header".repeat(9))],
  ["lost its end", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["has a damaged table page", (bytes: Buffer) => bytes.fill(0xff, 9 * 4096, 10 * 4096)],
  ["has a damaged schema page", (bytes: Buffer) => bytes.fill(0xff, 100, 300)],
])("a file that %s is storage_corrupt at the start", async (_, change) => {
  await using ctx = await templateDatabase();
  await ctx.db.close();
  damage(ctx.file, change);
  const opening = openDatabase({ file: ctx.file, migrationsDir: MIGRATIONS_DIR });
  await expect(opening).rejects.toMatchObject({ code: "storage_corrupt" });
});

test("a file that could not be opened is let go", async () => {
  await using ctx = await templateDatabase();
  const file = `${ctx.dir}/bad.db`;
  fs.writeFileSync(file, "not a database".repeat(100));
  await expect(openDatabase({ file, migrationsDir: MIGRATIONS_DIR })).rejects.toThrow();
  const handles = fs.readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
  expect(handles).not.toContain(file);
});

function linkOf(link: string): string | null {
  try {
    return fs.readlinkSync(link);
  } catch {
    // The listing's own handle is gone by now.
    return null;
  }
}

test("the library in this process is one whose log can be trusted", async () => {
  await using ctx = await templateDatabase();
  const sqlite = new SqliteDatabase(":memory:");
  expect(ctx.db.sqliteVersion).toBe(sqlite.prepare("SELECT sqlite_version()").pluck().get());
  sqlite.close();
});
