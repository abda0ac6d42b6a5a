import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Sqlite } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS_DIR } from "./testing/index.ts";

const CREATE_FAMILY = `
CREATE TABLE "Parent" ("id" TEXT NOT NULL PRIMARY KEY);
CREATE TABLE "Child" ("id" TEXT NOT NULL PRIMARY KEY, "parentId" TEXT NOT NULL,
  CONSTRAINT "Child_fkey" FOREIGN KEY ("parentId") REFERENCES "Parent" ("id") ON DELETE CASCADE);
INSERT INTO "Parent" VALUES ('p');
INSERT INTO "Child" VALUES ('c', 'p');`;

/** What Prisma writes when a column cannot be altered in place. */
const REBUILD_PARENT = `
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Parent" ("id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL DEFAULT '');
INSERT INTO "new_Parent" ("id") SELECT "id" FROM "Parent";
DROP TABLE "Parent";
ALTER TABLE "new_Parent" RENAME TO "Parent";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;`;

let dir: string;
let file: string;
let migrations: string;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-migrate-"));
  file = path.join(dir, "test.db");
  migrations = path.join(dir, "migrations");
  addMigration("1_family", CREATE_FAMILY);
});

afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function addMigration(name: string, sql: string): void {
  fs.mkdirSync(path.join(migrations, name), { recursive: true });
  fs.writeFileSync(path.join(migrations, name, "migration.sql"), sql);
}

function inspectFile<T>(look: (sqlite: Sqlite) => T, target = file): T {
  const sqlite = new SqliteDatabase(target);
  try {
    return look(sqlite);
  } finally {
    sqlite.close();
  }
}

const count = (table: string, target = file) =>
  inspectFile((sqlite) => sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get(), target);

const backups = () => fs.readdirSync(dir).filter((name) => name.includes(".before-"));

test("a new file gets every migration once, and needs no backup", async () => {
  addMigration("2_rebuild", REBUILD_PARENT);
  expect(await migrate(file, migrations)).toEqual(["1_family", "2_rebuild"]);
  expect(await migrate(file, migrations)).toEqual([]);
  expect(count("_prisma_migrations")).toBe(2);
  expect(backups()).toEqual([]);
});

test("rows that refer to a rebuilt table survive", async () => {
  await migrate(file, migrations);
  addMigration("2_rebuild", REBUILD_PARENT);
  await migrate(file, migrations);
  expect(count("Child")).toBe(1);
});

test("the same rebuild inside a transaction with foreign keys on would delete them", async () => {
  await migrate(file, migrations);
  inspectFile((sqlite) => {
    sqlite.pragma("foreign_keys = ON");
    sqlite.transaction(() => sqlite.exec(REBUILD_PARENT)).immediate();
  });
  expect(count("Child")).toBe(0);
});

test("a database that holds something is copied before it is changed", async () => {
  await migrate(file, migrations);
  addMigration("2_drop", `DROP TABLE "Child";`);
  await migrate(file, migrations);
  expect(backups()).toEqual(["test.db.before-2_drop.bak"]);
  const backup = path.join(dir, "test.db.before-2_drop.bak");
  expect(count("Child", backup)).toBe(1);
  expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
});

test("the copy holds what is still in the log only", async () => {
  await migrate(file, migrations);
  addMigration("2_drop", `DROP TABLE "Child";`);
  const open = new SqliteDatabase(file);
  open.exec(`INSERT INTO "Child" VALUES ('only in the log', 'p')`);
  await migrate(file, migrations);
  open.close();
  expect(count("Child", path.join(dir, "test.db.before-2_drop.bak"))).toBe(2);
});

test("a migration that fails leaves the file as it was", async () => {
  await migrate(file, migrations);
  addMigration("2_good", `CREATE TABLE "Good" ("id" TEXT);`);
  addMigration("3_bad", `CREATE TABLE "Half" ("id" TEXT); INSERT INTO "Nowhere" VALUES (1);`);
  await expect(migrate(file, migrations)).rejects.toThrow(/Nowhere/);
  expect(count("_prisma_migrations")).toBe(1);
  const names = inspectFile((s) => s.prepare("SELECT name FROM sqlite_schema").pluck().all());
  expect(names).not.toContain("Good");
  expect(names).not.toContain("Half");
});

test("a migration that leaves rows without parent is refused", async () => {
  await migrate(file, migrations);
  addMigration("2_orphans", `DELETE FROM "Parent";`);
  await expect(migrate(file, migrations)).rejects.toThrow(/without parent/);
  expect(count("Parent")).toBe(1);
});

test("an edited migration is refused", async () => {
  await migrate(file, migrations);
  addMigration("1_family", `${CREATE_FAMILY}\n-- edited`);
  await expect(migrate(file, migrations)).rejects.toMatchObject({
    code: "storage_corrupt",
    details: { migration: "1_family", reason: "edited" },
  });
});

test("a migration that failed in Prisma's hands is refused until it is resolved", async () => {
  await migrate(file, migrations);
  const set = (sql: string) => inspectFile((s) => s.exec(`UPDATE _prisma_migrations SET ${sql}`));
  set("finished_at = NULL");
  await expect(migrate(file, migrations)).rejects.toMatchObject({
    code: "storage_corrupt",
    details: { migration: "1_family", reason: "failed" },
  });
  set("finished_at = started_at");
  expect(await migrate(file, migrations)).toEqual([]);
});

test("a file of a newer version is refused and not touched", async () => {
  addMigration("2_newer", `CREATE TABLE "Newer" ("id" TEXT);`);
  await migrate(file, migrations);
  fs.rmSync(path.join(migrations, "2_newer"), { recursive: true });
  addMigration("3_pending", `DROP TABLE "Newer";`);
  const before = fs.readFileSync(file);
  await expect(migrate(file, migrations)).rejects.toMatchObject({
    code: "schema_newer",
    details: { migration: "2_newer" },
  });
  expect(fs.readFileSync(file).equals(before)).toBe(true);
  expect(backups()).toEqual([]);
});

test("another program's database is refused", async () => {
  inspectFile((sqlite) => sqlite.exec("CREATE TABLE notes (text)"));
  await expect(migrate(file, migrations)).rejects.toMatchObject({ code: "storage_corrupt" });
  expect(count("notes")).toBe(0);
});

test("the committed migrations apply, and a session has one running prompt", async () => {
  await migrate(file, MIGRATIONS_DIR);
  inspectFile((sqlite) => {
    const insert = sqlite.prepare(
      `INSERT INTO Prompt (promptId, sessionId, contentHash, state, acceptedSequence,
         startedAt, endedAt, createdAt, ownerId, ownerEpoch) VALUES (?, 's', '', ?, 1, ?, ?, 0, '', 1)`,
    );
    sqlite.pragma("foreign_keys = OFF");
    const rows = [
      ["queued", null, null],
      ["queued", null, null],
      ["completed", 1, 2],
      ["dispatched", 1, null],
    ] as const;
    rows.forEach(([state, startedAt, endedAt], index) => {
      insert.run(`${state} ${index}`, state, startedAt, endedAt);
    });
    expect(() => insert.run("second", "accepted", 1, null)).toThrow(
      expect.objectContaining({ code: "SQLITE_CONSTRAINT_UNIQUE" }),
    );
  });
});
