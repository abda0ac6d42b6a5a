import { AppError } from "@signalbox/protocol";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { toStorageError } from "./storage-error.ts";

const driverError = (code: string) => new SqliteDatabase.SqliteError("as SQLite says it", code);

test.each([
  ["SQLITE_FULL", "storage_full"],
  ["SQLITE_IOERR_SHMSIZE", "storage_full"],
  ["SQLITE_BUSY", "storage_busy"],
  ["SQLITE_BUSY_SNAPSHOT", "storage_busy"],
  ["SQLITE_CORRUPT", "storage_corrupt"],
  ["SQLITE_CORRUPT_INDEX", "storage_corrupt"],
  ["SQLITE_NOTADB", "storage_corrupt"],
  ["SQLITE_IOERR", "storage_corrupt"],
  ["SQLITE_IOERR_FSYNC", "storage_corrupt"],
  ["SQLITE_READONLY", "storage_corrupt"],
  ["SQLITE_READONLY_DBMOVED", "storage_corrupt"],
  ["SQLITE_CANTOPEN", "storage_busy"],
])("%s is %s, and keeps its cause", (code, expected) => {
  const cause = driverError(code);
  const wrapped = Object.assign(new Error("as Prisma says it"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { originalCode: code } } },
  });
  expect(toStorageError(cause)).toMatchObject({ code: expected, cause });
  expect(toStorageError(wrapped)).toMatchObject({ code: expected, cause: wrapped });
});

test.each(["P2028", "P1008", "P2024"])("Prisma's %s is storage_busy and may be retried", (code) => {
  const cause = Object.assign(new Error("as Prisma says it"), { code });
  expect(toStorageError(cause)).toMatchObject({ code: "storage_busy", retryable: true, cause });
});

test.each([
  Object.assign(new Error("as Prisma says it"), { code: "P2002" }),
  driverError("SQLITE_CONSTRAINT_UNIQUE"),
  new AppError("session_busy", "running"),
  new Error("a bug"),
  "not even an error",
  undefined,
])("everything else comes back as it is", (error) => {
  expect(toStorageError(error)).toBe(error);
});
