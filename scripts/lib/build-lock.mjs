import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cacheDir } from "./paths.mjs";
import { say } from "./setup-error.mjs";

const POLL_MS = 250;

/**
 * Runs `work` while no other process of this checkout does: two starts at once would build the
 * same outputs over each other. A lock whose holder is gone is taken over.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withBuildLock(work) {
  const lockFile = path.join(cacheDir, "build.pid");
  mkdirSync(cacheDir, { recursive: true });
  let hasSaid = false;
  while (!take(lockFile)) {
    if (!hasSaid) say("Waiting for another Signalbox command that is building here.");
    hasSaid = true;
    await delay(POLL_MS);
  }
  const release = () => rmSync(lockFile, { force: true });
  // A signal during a build ends the process without unwinding it.
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** @param {string} lockFile */
function take(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  const holder = readHolder(lockFile);
  if (holder !== null && !isAlive(holder)) rmSync(lockFile, { force: true });
  return false;
}

/** @param {string} lockFile */
function readHolder(lockFile) {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    // Empty for the moment between creating the file and writing into it.
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
