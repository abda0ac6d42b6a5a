/**
 * Brings a database file up to date from the committed migrations.
 *
 * Keeps Prisma's own `_prisma_migrations` table, so that its command line and this runner
 * agree on what has been applied; the server itself needs no command line. Everything that is
 * pending goes into one transaction: a start either upgrades the file wholly or leaves it as
 * it was.
 */

import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { AppError } from "@signalbox/protocol";
import SqliteDatabase from "better-sqlite3";
import type { Sqlite } from "./connection.ts";

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, hex: what Prisma stores. */
  readonly checksum: string;
}

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finishedAt: string | null;
}

const BUSY_TIMEOUT_MS = 10_000;

/** As Prisma's engine creates it. */
const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

/**
 * Applies what is pending. A database that holds something is copied first, to
 * `<file>.before-<first pending migration>.bak`.
 *
 * @returns the names of the migrations that were applied now
 * @throws AppError `schema_newer` when the file was written by a newer program;
 *   `storage_corrupt` when its history is not this program's: a migration was edited after it
 *   was applied, failed halfway, or the file belongs to another program
 */
export async function migrate(file: string, migrationsDir: string): Promise<readonly string[]> {
  const migrations = readMigrations(migrationsDir);
  const sqlite = new SqliteDatabase(file);
  try {
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    const [firstPending] = pendingOf(sqlite, migrations);
    if (!firstPending) return [];
    if (hasTables(sqlite)) await backUp(sqlite, `${file}.before-${firstPending.name}.bak`);
    return apply(sqlite, migrations);
  } finally {
    sqlite.close();
  }
}

function readMigrations(dir: string): readonly Migration[] {
  const names = fs
    .readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return names.map((name) => {
    const bytes = fs.readFileSync(path.join(dir, name, "migration.sql"));
    const checksum = createHash("sha256").update(bytes).digest("hex");
    return { name, sql: bytes.toString("utf8"), checksum };
  });
}

function pendingOf(sqlite: Sqlite, migrations: readonly Migration[]): readonly Migration[] {
  const history = readHistory(sqlite);
  assertHistory(history, migrations);
  const applied = new Set(history.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

function readHistory(sqlite: Sqlite): readonly AppliedMigration[] {
  if (!hasTable(sqlite, "_prisma_migrations")) {
    if (!hasTables(sqlite)) return [];
    throw new AppError("storage_corrupt", "the database file belongs to another program");
  }
  return sqlite
    .prepare<[], AppliedMigration>(
      `SELECT migration_name AS name, checksum, finished_at AS finishedAt
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
    )
    .all();
}

function assertHistory(
  history: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finishedAt } of history) {
    const details = { migration: name };
    const migration = known.get(name);
    if (!migration) {
      throw new AppError(
        "schema_newer",
        `the database was written by a newer version: it has migration ${name}`,
        { details },
      );
    }
    if (finishedAt === null) {
      throw new AppError("storage_corrupt", `migration ${name} failed halfway earlier`, {
        details: { ...details, reason: "failed" },
      });
    }
    if (checksum !== migration.checksum) {
      throw new AppError("storage_corrupt", `migration ${name} was edited after it was applied`, {
        details: { ...details, reason: "edited" },
      });
    }
  }
}

function apply(sqlite: Sqlite, migrations: readonly Migration[]): readonly string[] {
  // Before BEGIN: inside a transaction the setting is ignored, and where Prisma rebuilds a
  // table, dropping the old one would delete the rows that refer to it.
  sqlite.pragma("foreign_keys = OFF");
  const run = sqlite.transaction(() => {
    sqlite.exec(CREATE_HISTORY);
    const record = sqlite.prepare(
      `INSERT INTO _prisma_migrations
         (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES (?, ?, ?, ?, ?, 1)`,
    );
    // Asked again under the write lock: another process may have been quicker.
    const pending = pendingOf(sqlite, migrations);
    for (const { name, sql, checksum } of pending) {
      const startedAt = prismaTime();
      sqlite.exec(sql);
      record.run(randomUUID(), checksum, prismaTime(), name, startedAt);
    }
    const [violation] = sqlite.prepare("SELECT * FROM pragma_foreign_key_check LIMIT 1").all();
    if (violation !== undefined) {
      throw new Error(`a migration leaves rows without parent: ${JSON.stringify(violation)}`);
    }
    return pending.map((migration) => migration.name);
  });
  return run.immediate();
}

/** A consistent copy, log included; under its final name only when it is whole. */
async function backUp(sqlite: Sqlite, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  try {
    fs.rmSync(unfinished, { force: true });
    fs.closeSync(fs.openSync(unfinished, "wx", 0o600));
    await sqlite.backup(unfinished);
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined;
}

/** True unless the file is new. Tables are what counts: an empty one may carry settings. */
function hasTables(sqlite: Sqlite): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

/** Prisma's engine stores times so. */
function prismaTime(): string {
  return new Date().toISOString().replace("Z", "+00:00");
}
