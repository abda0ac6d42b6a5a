import { randomUUID } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const DEMO_FILE = "signalbox-demo.txt";

const MAX_SHOWN_BYTES = 64 * 1024;

/** The text of the demo file, or `null` when there is none that a diff could show. */
export async function readDemoFile(dir: string): Promise<string | null> {
  const path = join(dir, DEMO_FILE);
  try {
    // A link is not followed: it may lead out of the workspace.
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > MAX_SHOWN_BYTES) return null;
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/**
 * Replaces the demo file. Renaming over the name keeps the write inside `dir` even when the
 * name is a link to somewhere else.
 *
 * @returns the system's error code when the folder does not let us, else nothing
 */
export async function writeDemoFile(dir: string, text: string): Promise<string | undefined> {
  const temporary = join(dir, `.${DEMO_FILE}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, join(dir, DEMO_FILE));
    return undefined;
  } catch (error) {
    await rm(temporary, { force: true });
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
