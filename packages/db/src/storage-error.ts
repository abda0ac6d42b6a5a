import { AppError } from "@signalbox/protocol";

/**
 * Gives a failure of the disk or of the database file its code.
 *
 * Knows the driver's own errors and Prisma's wrapping of them. Everything else, constraint
 * violations and `AppError`s included, comes back as it is.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = sqliteCodeOf(error);
  if (code === undefined) return error;
  // A full disk cannot grow the shared-memory file either; SQLite calls that an I/O error.
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE") {
    return new AppError("storage_full", "the disk that holds the database is full", {
      cause: error,
    });
  }
  if (isCode(code, "SQLITE_BUSY")) {
    return new AppError("storage_busy", "another connection holds the database", { cause: error });
  }
  if (isCode(code, "SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new AppError("storage_corrupt", "the database file is damaged", { cause: error });
  }
  return error;
}

/** SQLite's result code, which the driver puts on its error and Prisma some levels down. */
function sqliteCodeOf(error: unknown): string | undefined {
  for (const path of CODE_PATHS) {
    const value = path.reduce(property, error);
    if (typeof value === "string" && value.startsWith("SQLITE_")) return value;
  }
  return undefined;
}

const CODE_PATHS: readonly (readonly string[])[] = [
  ["code"],
  ["cause", "originalCode"],
  ["meta", "driverAdapterError", "cause", "originalCode"],
];

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** True for a primary code and its extended ones, such as SQLITE_BUSY_SNAPSHOT. */
function isCode(code: string, primary: string): boolean {
  return code === primary || code.startsWith(`${primary}_`);
}
