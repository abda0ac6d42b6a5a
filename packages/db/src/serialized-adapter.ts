import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import SqliteDatabase from "better-sqlite3";
import { configureConnection, type Sqlite } from "./connection.ts";
import { ConnectionLock } from "./connection-lock.ts";

type Adapter = Awaited<ReturnType<PrismaBetterSqlite3["connect"]>>;
type Transaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

/**
 * Prisma's better-sqlite3 adapter, made safe for more than one caller.
 *
 * The original has one connection and locks only transactions against each other. A plain
 * query that comes while a transaction is open runs inside it, is acknowledged, and dies with
 * its rollback. The original also begins deferred, so that a transaction may fail halfway for
 * want of the write lock. Here every query and transaction waits its turn, transactions begin
 * immediate, and the connection can be lent for synchronous work between them.
 */
export class SerializedAdapter extends PrismaBetterSqlite3 {
  readonly lock = new ConnectionLock();
  #connection: Sqlite | undefined;

  /**
   * Prisma's own connection, for synchronous work done under {@link SerializedAdapter.lock}.
   *
   * @throws Error before Prisma has connected
   */
  get connection(): Sqlite {
    if (!this.#connection) throw new Error("Prisma has not connected yet");
    return this.#connection;
  }

  override async connect(): Promise<Adapter> {
    const inner = await super.connect();
    const connection: unknown = Reflect.get(inner, "client");
    if (!(connection instanceof SqliteDatabase)) {
      throw new Error("Prisma's adapter no longer shows its connection as `client`");
    }
    try {
      configureConnection(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    return serialized(inner, connection, this.lock);
  }
}

function serialized(inner: Adapter, connection: Sqlite, lock: ConnectionLock): Adapter {
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: (query) => lock.run(() => inner.queryRaw(query)),
    executeRaw: (query) => lock.run(() => inner.executeRaw(query)),
    executeScript: (script) => lock.run(() => inner.executeScript(script)),
    dispose: () => lock.run(() => inner.dispose()),
    startTransaction: async (isolationLevel) => {
      // SQLite has one level; anything but SERIALIZABLE would be a promise that is not kept.
      if (isolationLevel && isolationLevel !== "SERIALIZABLE") {
        throw new Error(`SQLite transactions are serializable, not ${isolationLevel}`);
      }
      const release = await lock.acquire();
      try {
        await inner.executeRaw(statement("BEGIN IMMEDIATE"));
      } catch (error) {
        release();
        throw error;
      }
      return openTransaction(inner, connection, release);
    },
  };
}

function openTransaction(inner: Adapter, connection: Sqlite, release: () => void): Transaction {
  // After some failures, a full disk among them, SQLite has already rolled back. A statement
  // that ran then would commit on its own, outside the transaction its caller believes in.
  const assertOpen = () => {
    if (!connection.inTransaction) throw new Error("the transaction was rolled back by SQLite");
  };
  const rollback = () => {
    try {
      if (connection.inTransaction) connection.exec("ROLLBACK");
    } finally {
      release();
    }
  };
  const run = async (sql: string) => {
    assertOpen();
    await inner.executeRaw(statement(sql));
  };
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    // Prisma then leaves COMMIT and ROLLBACK to the two functions below.
    options: { usePhantomQuery: true },
    queryRaw: async (query) => {
      assertOpen();
      return inner.queryRaw(query);
    },
    executeRaw: async (query) => {
      assertOpen();
      return inner.executeRaw(query);
    },
    commit: async () => {
      try {
        await run("COMMIT");
      } finally {
        // A failed COMMIT leaves the transaction open: without this the connection is lost.
        rollback();
      }
    },
    rollback: async () => rollback(),
    createSavepoint: (name) => run(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => run(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => run(`RELEASE SAVEPOINT ${name}`),
  };
}

function statement(sql: string): Parameters<Adapter["executeRaw"]>[0] {
  return { sql, args: [], argTypes: [] };
}
