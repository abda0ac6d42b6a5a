import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { constants } from "node:os";
import path from "node:path";
import { rootDir } from "./paths.mjs";

const FORWARDED_SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] the whole environment of the command
 * @property {string} [logFile] output goes here instead of to our own stderr
 * @property {boolean} [ownsStdout] the command may write to our stdout
 */

/**
 * Runs a command to its end and returns its exit code. A signal that reaches us meanwhile goes to
 * the command's whole process group and then ends us too, so that no build outlives its parent.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<number>}
 */
export async function run(file, args, options = {}) {
  const { cwd = rootDir, env = process.env, logFile, ownsStdout = false } = options;
  const log = logFile === undefined ? null : await openLog(logFile);
  const output = log === null ? "inherit" : "pipe";
  const child = spawn(file, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", log === null && !ownsStdout ? 2 : output, output],
  });
  if (log !== null) {
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
  }

  /** @type {NodeJS.Signals | null} */
  let received = null;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    received = signal;
    signalGroup(child.pid, signal);
  };
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  try {
    const code = await ended(child);
    if (received !== null) process.exit(128 + constants.signals[received]);
    return code;
  } finally {
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
    log?.end();
  }
}

/** @param {string} logFile */
async function openLog(logFile) {
  await mkdir(path.dirname(logFile), { recursive: true });
  return createWriteStream(logFile);
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>}
 */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group may have ended between the signal's arrival and now.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}

/**
 * The last lines of a command's log, for a failure nobody foresaw.
 *
 * @param {string} logFile
 * @param {number} maxLines
 */
export async function logTail(logFile, maxLines = 30) {
  const lines = (await readFile(logFile, "utf8")).trimEnd().split("\n");
  return lines.slice(-maxLines).join("\n");
}
