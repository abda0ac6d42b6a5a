import type SqliteDatabase from "better-sqlite3";

/** A raw SQLite connection. Its work is synchronous and blocks the process: keep it small. */
export type Sqlite = SqliteDatabase.Database;

/** The oldest SQLite whose write-ahead log survives a writer and a checkpoint meeting. */
const MIN_SQLITE_VERSION = "3.51.3";

const BUSY_TIMEOUT_MS = 1000;

/** `PRAGMA synchronous` answers with a number; FULL syncs the log at every commit. */
const SYNCHRONOUS_FULL = 2;

/**
 * Sets what durability and integrity rest on, then reads it back: the driver is built with
 * weaker defaults, and SQLite answers a setting that it does not take with silence.
 *
 * @throws Error when a setting did not take
 */
export function configureConnection(sqlite: Sqlite): void {
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  const [fault] = pragmaFaults(sqlite);
  if (fault !== undefined) throw new Error(fault);
}

const PRAGMAS = {
  busy_timeout: BUSY_TIMEOUT_MS,
  journal_mode: "wal",
  synchronous: SYNCHRONOUS_FULL,
  foreign_keys: 1,
} as const;

/** @returns a sentence for each setting that is not what the database needs */
export function pragmaFaults(sqlite: Sqlite): string[] {
  return Object.entries(PRAGMAS).flatMap(([name, expected]) => {
    const answer = sqlite.pragma(name, { simple: true });
    const actual = typeof answer === "bigint" ? Number(answer) : answer;
    if (actual === expected) return [];
    return [`SQLite keeps ${name} at ${String(actual)}, the database needs ${expected}`];
  });
}

/**
 * @returns the version of the SQLite library in this process
 * @throws Error when the library is older than the one whose log can be trusted
 */
export function assertSqliteVersion(sqlite: Sqlite): string {
  const version = String(sqlite.prepare("SELECT sqlite_version()").pluck().get());
  if (compareVersions(version, MIN_SQLITE_VERSION) < 0) {
    throw new Error(`SQLite ${version} can damage its log; ${MIN_SQLITE_VERSION} is needed`);
  }
  return version;
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

/**
 * Reads the schema and the first row of every table and index, so that a damaged header, schema
 * or root page, or a file cut short, shows before anything is served. It does not read every
 * page: that would make a start wait for the size of the history.
 *
 * @throws the driver's SQLITE_CORRUPT or SQLITE_NOTADB error
 */
export function probeFile(sqlite: Sqlite): void {
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all();
  // SQLite refuses to read a partial index for a query that does not repeat its condition.
  const indexes = sqlite.prepare("SELECT name FROM pragma_index_list(?) WHERE partial = 0").pluck();
  for (const table of tables) {
    sqlite.prepare(`SELECT * FROM ${quoted(table)} LIMIT 1`).get();
    for (const index of indexes.all(table)) {
      const indexed = `${quoted(table)} INDEXED BY ${quoted(index)}`;
      sqlite.prepare(`SELECT 1 FROM ${indexed} LIMIT 1`).get();
    }
  }
}

function quoted(name: unknown): string {
  return `"${String(name).replaceAll('"', '""')}"`;
}

const statements = new WeakMap<Sqlite, Map<string, SqliteDatabase.Statement>>();

/**
 * The connection's prepared statement for a SQL text, prepared at its first use. Texts are
 * kept for the life of the connection: build them from constants, never from values.
 * Integers come back as numbers; those above 2^53 would lose digits.
 */
export function prepareCached<Parameters extends unknown[] = unknown[], Row = unknown>(
  sqlite: Sqlite,
  sql: string,
): SqliteDatabase.Statement<Parameters, Row>;
export function prepareCached(sqlite: Sqlite, sql: string): SqliteDatabase.Statement {
  let cache = statements.get(sqlite);
  if (!cache) {
    cache = new Map();
    statements.set(sqlite, cache);
  }
  let statement = cache.get(sql);
  if (!statement) {
    // Prisma's connection answers integers as bigint unless a statement says otherwise.
    statement = sqlite.prepare(sql).safeIntegers(false);
    cache.set(sql, statement);
  }
  return statement;
}
