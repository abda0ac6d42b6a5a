import type { Sqlite } from "./connection.ts";
import type { ConnectionLock } from "./connection-lock.ts";

export interface LogPolicy {
  /** Without a commit for this long, what the log holds is copied into the file. */
  readonly idleMs: number;
  /** Until the next try, when somebody else's read keeps the log from being emptied. */
  readonly retryMs: number;
  /** A log that is longer is cut as soon as nobody reads from it; up to it, it is used again. */
  readonly keptBytes: number;
}

export const LOG_POLICY: LogPolicy = {
  idleMs: 1_000,
  retryMs: 30_000,
  keptBytes: 64 * 1024 * 1024,
};

interface CheckpointAnswer {
  readonly busy: number;
  /** Frames in the log, and those of them that are in the file. */
  readonly log: number;
  readonly checkpointed: number;
}

export interface IdleCheckpointOptions extends LogPolicy {
  readonly connection: Sqlite;
  readonly lock: ConnectionLock;
  readonly walBytes: () => number;
  /** Nothing is lost by a failure: the log keeps what the file has not got. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Empties the write-ahead log while nobody writes, so that SQLite's own checkpoint, which a commit
 * has to wait for, finds little to do, and a log that somebody's long read made grow is cut when
 * they let go. Never waits for a reader.
 */
export class IdleCheckpoint {
  readonly #options: IdleCheckpointOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isHeldTold = false;

  constructor(options: IdleCheckpointOptions) {
    this.#options = options;
    // For a log that is begun anew by a write before the next pause.
    options.connection.pragma(`journal_size_limit = ${options.keptBytes}`);
  }

  /** Something was committed, and no other write waits. */
  paused(): void {
    this.#arm(this.#options.idleMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#empty().catch(this.#options.onTrouble);
    }, ms);
    this.#timer.unref();
  }

  async #empty(): Promise<void> {
    const { connection, lock, keptBytes, retryMs, walBytes } = this.#options;
    const isHeld = await lock.run(() => {
      if (this.#isClosed) return false;
      const copied = checkpoint(connection, "PASSIVE");
      if (copied.busy !== 0 || copied.checkpointed < copied.log) return true;
      return walBytes() > keptBytes && withoutWaiting(connection, () => cut(connection));
    });
    if (isHeld) this.#arm(retryMs);
    this.#tell(isHeld && walBytes() > keptBytes);
  }

  /** Once for each time that it is so. */
  #tell(isHeld: boolean): void {
    const { onTrouble, walBytes } = this.#options;
    if (isHeld && !this.#isHeldTold) {
      const fact = `the database's log has ${walBytes()} bytes and cannot be emptied`;
      onTrouble(new Error(`${fact}: another process holds an old state of the database`));
    }
    this.#isHeldTold = isHeld;
  }
}

/** @returns whether a reader was in the way */
function cut(connection: Sqlite): boolean {
  return checkpoint(connection, "TRUNCATE").busy !== 0;
}

function checkpoint(connection: Sqlite, mode: "PASSIVE" | "TRUNCATE"): CheckpointAnswer {
  const [answer] = connection.pragma(`wal_checkpoint(${mode})`) as Record<string, unknown>[];
  // Prisma's connection answers integers as bigint.
  const number = (name: keyof CheckpointAnswer) => Number(answer?.[name]);
  return { busy: number("busy"), log: number("log"), checkpointed: number("checkpointed") };
}

/** Waiting for a lock would stop the whole process. */
function withoutWaiting<T>(connection: Sqlite, work: () => T): T {
  const before = Number(connection.pragma("busy_timeout", { simple: true }));
  connection.pragma("busy_timeout = 0");
  try {
    return work();
  } finally {
    connection.pragma(`busy_timeout = ${before}`);
  }
}
