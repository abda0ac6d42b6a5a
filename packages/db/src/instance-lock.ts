import fs from "node:fs";
import path from "node:path";
import { AppError } from "@signalbox/protocol";
import SqliteDatabase from "better-sqlite3";
import type { Sqlite } from "./connection.ts";
import { toStorageError } from "./storage-error.ts";

export interface InstanceLock {
  /** Lets the next process in. May be called twice. */
  release(): void;
}

const LOCK_FILE = "lock.db";
const HOLDER_FILE = "lock.pid";

/**
 * Makes this process the only one that serves a data folder.
 *
 * The lock is the operating system's lock on an open SQLite file: it ends with the process,
 * however that ends, and leaves nothing behind that could keep the next one out.
 *
 * @throws AppError `database_in_use`, with the holder's pid in `details` when it is known
 */
export function lockDataDir(dir: string): InstanceLock {
  const holderFile = path.join(dir, HOLDER_FILE);
  const lock = openLockFile(path.join(dir, LOCK_FILE));
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    fs.writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inUse(dir, holderFile) : toStorageError(error);
  }
  return {
    release: () => {
      if (!lock.open) return;
      fs.rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function openLockFile(file: string): Sqlite {
  try {
    // Only when it is new: closing any other handle on the file would drop this process's lock.
    fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  return new SqliteDatabase(file, { timeout: 0 });
}

function isBusy(error: unknown): boolean {
  return hasCode(error, "SQLITE_BUSY") || hasCode(error, "SQLITE_LOCKED");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function inUse(dir: string, holderFile: string): AppError {
  const pid = readPid(holderFile);
  const holder = pid === null ? "another process" : `process ${pid}`;
  return new AppError("database_in_use", `${holder} already serves the data folder ${dir}`, {
    details: { dir, pid },
  });
}

function readPid(holderFile: string): number | null {
  try {
    const pid = Number.parseInt(fs.readFileSync(holderFile, "utf8"), 10);
    return Number.isSafeInteger(pid) ? pid : null;
  } catch (error) {
    // The holder may be just about to write it, or to leave.
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
