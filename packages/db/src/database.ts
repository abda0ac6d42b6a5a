/**
 * The open database: one connection that writes, shared with Prisma, and one that only reads.
 *
 * All writing goes through one connection, because a second one in the same process would
 * stop the event loop while it waits for the first. The reading connection sees what is
 * committed and nothing else, whatever transaction is open beside it.
 */

import fs from "node:fs";
import path from "node:path";
import { AppError } from "@signalbox/protocol";
import SqliteDatabase from "better-sqlite3";
import {
  assertSqliteVersion,
  configureConnection,
  prepareCached,
  probeFile,
  type Sqlite,
} from "./connection.ts";
import type { FleetNews } from "./fleet-news.ts";
import { PrismaClient } from "./generated/client.ts";
import { IdleCheckpoint, LOG_POLICY, type LogPolicy } from "./idle-checkpoint.ts";
import { migrate } from "./migrate.ts";
import { SerializedAdapter } from "./serialized-adapter.ts";
import { toStorageError } from "./storage-error.ts";
import { WriteQueue } from "./write-queue.ts";

export { prepareCached, type Sqlite } from "./connection.ts";
export { toStorageError } from "./storage-error.ts";

export interface Database {
  /** For this package's own files. Reads and writes through it wait for open transactions. */
  readonly prisma: PrismaClient;
  readonly sqliteVersion: string;
  /** Transactions committed by {@link Database.write} so far. */
  readonly commits: number;
  /** The disk or the file refused the last transaction of {@link Database.write}. */
  readonly isRefused: boolean;
  /** Size of the write-ahead log's file, in bytes. */
  readonly walBytes: number;
  /**
   * Runs a synchronous function in the next shared transaction; settles after its commit.
   * A throw undoes this function's rows and no other's.
   *
   * @throws AppError `storage_full`, `storage_busy`, `storage_corrupt` or `server_draining`
   */
  write<T>(fn: (sqlite: Sqlite) => T): Promise<T>;
  /**
   * Runs a synchronous function on the reading connection, at once. All statements of one
   * call see the same committed state; a statement that writes throws.
   *
   * @throws AppError `storage_busy` or `storage_corrupt`
   */
  read<T>(fn: (sqlite: Sqlite) => T): Promise<T>;
  /** Has the news of every commit told to `listener`, before whoever waits for the write. */
  onFleetNews(listener: (news: readonly FleetNews[]) => void): void;
  /** Lets queued writes settle, folds the log into the file and closes. May be called twice. */
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** Path of the database file; its folder must exist. */
  readonly file: string;
  /** The folder with the committed migrations, one folder each. */
  readonly migrationsDir: string;
  /** Opens an existing file as it is: nothing is created, migrated or written. */
  readonly readonly?: boolean;
  /** When the write-ahead log is emptied and cut; what is left out is {@link LOG_POLICY}'s. */
  readonly log?: Partial<LogPolicy>;
  /** Hears of a log that cannot be emptied. By default it is an unhandled error. */
  readonly onLogTrouble?: (error: unknown) => void;
}

/**
 * Brings the file up to date, then opens and checks it.
 *
 * @throws AppError `schema_newer`, or `storage_corrupt`, `storage_full`, `storage_busy`
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const file = path.resolve(options.file);
  const readonly = options.readonly ?? false;
  try {
    if (!readonly) {
      createPrivately(file);
      await migrate(file, options.migrationsDir);
    }
    return await connect(file, options);
  } catch (error) {
    throw toStorageError(error);
  }
}

/** How long a Prisma transaction may wait for its turn, in milliseconds. */
const TRANSACTION_WAIT_MS = 10_000;

async function connect(file: string, options: OpenDatabaseOptions): Promise<Database> {
  const readonly = options.readonly ?? false;
  const adapter = new SerializedAdapter({ url: file, readonly, fileMustExist: true });
  const prisma = new PrismaClient({
    adapter,
    // Its longer formats repeat the values of a failed query, which would reach the log.
    errorFormat: "minimal",
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS },
  });
  await prisma.$connect();
  let reader: Sqlite | undefined;
  try {
    const sqliteVersion = assertSqliteVersion(adapter.connection);
    probeFile(adapter.connection);
    reader = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
    configureConnection(reader);
    return databaseOver({ file, adapter, prisma, reader, options, sqliteVersion });
  } catch (error) {
    reader?.close();
    await prisma.$disconnect();
    throw error;
  }
}

interface Parts {
  readonly file: string;
  readonly adapter: SerializedAdapter;
  readonly prisma: PrismaClient;
  readonly reader: Sqlite;
  readonly options: OpenDatabaseOptions;
  readonly sqliteVersion: string;
}

function databaseOver(parts: Parts): Database {
  const { file, adapter, prisma, reader, options, sqliteVersion } = parts;
  const queue = new WriteQueue(adapter.connection, adapter.lock);
  const walBytes = () => fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const checkpoint = options.readonly ? undefined : idleCheckpoint(parts, walBytes);
  queue.onPause = () => checkpoint?.paused();
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await queue.close();
    checkpoint?.close();
    reader.close();
    try {
      if (!options.readonly) {
        await adapter.lock.run(() => adapter.connection.pragma("wal_checkpoint(TRUNCATE)"));
      }
    } finally {
      await prisma.$disconnect();
    }
  }

  return {
    prisma,
    sqliteVersion,
    get commits() {
      return queue.commits;
    },
    get isRefused() {
      return queue.isRefused;
    },
    get walBytes() {
      return walBytes();
    },
    write: (fn) => queue.write(fn),
    onFleetNews: (listener) => {
      queue.onNews = listener;
    },
    read: async (fn) => {
      if (closing) throw new AppError("server_draining", "the database is closing");
      try {
        return snapshot(reader, fn);
      } catch (error) {
        throw toStorageError(error);
      }
    },
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

function idleCheckpoint({ adapter, options }: Parts, walBytes: () => number): IdleCheckpoint {
  const onTrouble = (error: unknown) => {
    if (!options.onLogTrouble) throw error;
    options.onLogTrouble(error);
  };
  const { connection, lock } = adapter;
  return new IdleCheckpoint({
    ...LOG_POLICY,
    ...options.log,
    connection,
    lock,
    walBytes,
    onTrouble,
  });
}

/** A deferred transaction costs no lock here: it pins the state the first statement saw. */
function snapshot<T>(reader: Sqlite, fn: (sqlite: Sqlite) => T): T {
  prepareCached(reader, "BEGIN").run();
  try {
    return fn(reader);
  } finally {
    if (reader.inTransaction) prepareCached(reader, "COMMIT").run();
  }
}

/** The log and its index take their mode from the file; readers of other accounts get none. */
function createPrivately(file: string): void {
  fs.closeSync(fs.openSync(file, "a", 0o600));
}
