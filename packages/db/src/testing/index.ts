import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, type OpenDatabaseOptions, openDatabase } from "../database.ts";

/** A database of its own for one test, in a folder of its own. */
export interface TemplateDatabase extends AsyncDisposable {
  readonly db: Database;
  readonly file: string;
  readonly dir: string;
}

/** The committed migrations, as they stand in the repository. */
export const MIGRATIONS_DIR = fileURLToPath(
  new URL("../../../../prisma/migrations", import.meta.url),
);

const FILE_NAME = "signalbox.db";

/** The file's bytes: a test process is often killed, and would leave a template file behind. */
let template: Promise<Buffer> | undefined;

/**
 * Copies a freshly migrated database into a temporary folder and opens it. The migrations run
 * once per process. Disposing closes the database and removes the folder.
 */
export async function templateDatabase(
  options: Pick<OpenDatabaseOptions, "log" | "onLogTrouble"> = {},
): Promise<TemplateDatabase> {
  template ??= createTemplate();
  const bytes = await template;
  const dir = temporaryFolder();
  const file = path.join(dir, FILE_NAME);
  fs.writeFileSync(file, bytes, { mode: 0o600 });
  const db = await openDatabase({ ...options, file, migrationsDir: MIGRATIONS_DIR });
  return {
    db,
    file,
    dir,
    [Symbol.asyncDispose]: async () => {
      await db.close();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function createTemplate(): Promise<Buffer> {
  const dir = temporaryFolder();
  try {
    const file = path.join(dir, FILE_NAME);
    const db = await openDatabase({ file, migrationsDir: MIGRATIONS_DIR });
    await db.close();
    return fs.readFileSync(file);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-db-"));
}
