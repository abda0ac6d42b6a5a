// Tries the lock of a folder once and prints how that went.

import { AppError } from "@signalbox/protocol";
import { lockDataDir } from "../instance-lock.ts";

function outcome(): string {
  try {
    lockDataDir(String(process.argv[2])).release();
    return "free";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

process.stdout.write(`${outcome()}\n`);
