import fs from "node:fs";
import { EXIT_CODE } from "@signalbox/protocol";
import { ExitError } from "./exit-error.ts";

/** Write rights of the group and of everybody else. */
const FOREIGN_WRITE = 0o022;
/** Any right of the group and of everybody else. */
const FOREIGN_ANY = 0o077;

/** @throws ExitError with code 2 when it cannot be made */
export function makeFolder(folder: string, mode: number): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExitError(
      EXIT_CODE.badConfiguration,
      `The folder ${folder} cannot be made: ${reason}`,
    );
  }
}

/**
 * Makes the data folder, or takes over one that nobody else can have put anything into. One that
 * others may only read is closed to them.
 *
 * @param uid this process's account; null where the system has none
 * @throws ExitError with code 2 for a symlink, a folder of another account, or one in which others
 *   may write: key and database could be theirs
 */
export function makePrivateFolder(
  folder: string,
  uid: number | null = process.getuid?.() ?? null,
): void {
  makeFolder(folder, 0o700);
  const stats = fs.lstatSync(folder);
  if (stats.isSymbolicLink()) throw refusal(folder, "is a symlink; name the folder itself");
  if (!stats.isDirectory()) throw refusal(folder, "is not a folder");
  if (uid === null) return;
  if (stats.uid !== uid) throw refusal(folder, `belongs to account ${stats.uid}, not to ${uid}`);
  if ((stats.mode & FOREIGN_WRITE) !== 0) {
    throw refusal(
      folder,
      "may be written by other accounts; chmod 700 it if you trust what is there",
    );
  }
  if ((stats.mode & FOREIGN_ANY) !== 0) fs.chmodSync(folder, 0o700);
}

function refusal(folder: string, problem: string): ExitError {
  return new ExitError(EXIT_CODE.badConfiguration, `The data folder ${folder} ${problem}.`);
}
