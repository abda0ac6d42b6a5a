import { AppError } from "@signalbox/protocol";
import { prepareCached, type Sqlite } from "./connection.ts";
import type { ConnectionLock } from "./connection-lock.ts";
import { dropNewsAfter, type FleetNews, newsMark, takeNews } from "./fleet-news.ts";
import { toStorageError } from "./storage-error.ts";

interface QueuedWrite {
  /** Keeps its result until the commit. */
  readonly run: (sqlite: Sqlite) => void;
  /** Has `tell` hand over this failure instead. */
  readonly fail: (error: unknown) => void;
  /** After the commit: hands over the result, or the write's own failure. */
  readonly tell: () => void;
  /** Instead of `tell`, when nothing of the batch was committed. */
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: writes that come in one turn of the event loop, or while the connection is
 * taken, share one transaction and one sync of the disk. There is no timer, so a lone write
 * waits for nothing. A promise settles only after the commit that carries its write.
 */
export class WriteQueue {
  readonly #connection: Sqlite;
  readonly #lock: ConnectionLock;
  #waiting: QueuedWrite[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;
  #commits = 0;
  #isRefused = false;
  /** Hears the news of each commit before anybody who waits for it goes on. */
  onNews: (news: readonly FleetNews[]) => void = () => undefined;
  /** Called when the last write that waited has settled. */
  onPause: () => void = () => undefined;

  constructor(connection: Sqlite, lock: ConnectionLock) {
    this.#connection = connection;
    this.#lock = lock;
  }

  /** The disk or the file refused the last transaction. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Transactions committed so far. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Runs `fn` in the next transaction, alone in a savepoint: its throw undoes its own rows
   * and rejects its own promise only. `fn` must be synchronous.
   *
   * @throws AppError `storage_full`, `storage_busy` or `storage_corrupt` with the whole batch,
   *   `server_draining` after {@link WriteQueue.close}
   */
  write<T>(fn: (sqlite: Sqlite) => T): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new AppError("server_draining", "the database is closing"));
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(queuedWrite(fn, resolve, reject));
      this.#draining ??= this.#drain();
    });
  }

  /** Takes no more writes; resolves when those that are queued have settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await this.#lock.run(() => {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#commit(batch);
      });
    }
    this.#draining = undefined;
    this.onPause();
  }

  #commit(batch: readonly QueuedWrite[]): void {
    const sqlite = this.#connection;
    try {
      execute(sqlite, "BEGIN IMMEDIATE");
      const [only] = batch;
      // A lone write needs no savepoint: its failure is the transaction's.
      if (only && batch.length === 1) only.run(sqlite);
      else for (const write of batch) inSavepoint(sqlite, write);
      execute(sqlite, "COMMIT");
    } catch (error) {
      const failure = abandon(sqlite, error);
      this.#isRefused = failure instanceof AppError && failure.code.startsWith("storage_");
      dropNewsAfter(sqlite, 0);
      for (const write of batch) write.reject(failure);
      return;
    }
    this.#commits += 1;
    this.#isRefused = false;
    const news = takeNews(sqlite);
    if (news.length > 0) this.onNews(news);
    for (const write of batch) write.tell();
  }
}

function queuedWrite<T>(
  fn: (sqlite: Sqlite) => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): QueuedWrite {
  let tell = () => reject(new Error("the write did not run"));
  return {
    run: (sqlite) => {
      const value = fn(sqlite);
      if (value instanceof Promise) throw new Error("a queued write must be synchronous");
      tell = () => resolve(value);
    },
    fail: (error) => {
      tell = () => reject(toStorageError(error));
    },
    tell: () => tell(),
    reject,
  };
}

/** One of several writes: its throw undoes its own rows and news only. */
function inSavepoint(sqlite: Sqlite, write: QueuedWrite): void {
  execute(sqlite, "SAVEPOINT queued_write");
  const mark = newsMark(sqlite);
  try {
    write.run(sqlite);
  } catch (error) {
    // Some failures, a full disk among them, take the whole transaction along.
    if (!sqlite.inTransaction) throw error;
    execute(sqlite, "ROLLBACK TO queued_write");
    dropNewsAfter(sqlite, mark);
    write.fail(error);
  }
  execute(sqlite, "RELEASE queued_write");
}

/** Ends a transaction that cannot be committed, and says why it cannot. */
function abandon(sqlite: Sqlite, error: unknown): unknown {
  try {
    if (sqlite.inTransaction) sqlite.exec("ROLLBACK");
  } catch (rollbackError) {
    return new AggregateError([error, rollbackError], "a failed transaction did not roll back");
  }
  return toStorageError(error);
}

function execute(sqlite: Sqlite, sql: string): void {
  prepareCached(sqlite, sql).run();
}
