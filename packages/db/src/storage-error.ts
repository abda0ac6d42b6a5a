import { AppError } from "@signalbox/protocol";

/**
 * Gives a failure of the disk or of the database file its code.
 *
 * Knows the driver's own errors and Prisma's wrapping of them. Everything else, constraint
 * violations and `AppError`s included, comes back as it is.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (PRISMA_WAITED_IN_VAIN.has(String(property(error, "code")))) {
    return new AppError("storage_busy", "the database did not come to it in time", {
      cause: error,
    });
  }
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
  // The database itself is open for as long as the server runs. What cannot be opened beside it
  // lacks file descriptors, which come back: the same call may be made again.
  if (isCode(code, "SQLITE_CANTOPEN")) {
    return new AppError("storage_busy", "a file of the database cannot be opened", {
      cause: error,
    });
  }
  const damage = damageOf(code);
  if (damage === undefined) return error;
  return new AppError("storage_corrupt", damage, { cause: error });
}

/**
 * What no waiting cures. A disk that fails to read or write, and a file that was made readonly
 * under the server, count as damage: a caller that tried again would try for ever.
 */
function damageOf(code: string): string | undefined {
  if (isCode(code, "SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return "the database file is damaged";
  }
  if (isCode(code, "SQLITE_IOERR")) return "the disk fails to read or write the database file";
  if (isCode(code, "SQLITE_READONLY")) return "the database file is readonly";
  return undefined;
}

/**
 * A transaction that got no turn or took too long, a query that did, and a pool without a free
 * connection: nothing was written, and the same call may be made again.
 */
const PRISMA_WAITED_IN_VAIN: ReadonlySet<string> = new Set(["P2028", "P1008", "P2024"]);

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
