/**
 * Keeps `node_modules` in step with the lockfile.
 *
 * A stamp inside `node_modules` names the lockfile and the Node ABI it was installed for. Without
 * a fitting stamp npm's own record of what it installed is compared with the lockfile, so that a
 * checkout whose packages were installed by hand is not installed again.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { logTail, run } from "./command.mjs";
import { compilerComplaint } from "./compiler.mjs";
import { cacheDir, fromRoot, rootDir } from "./paths.mjs";
import { SetupError, say } from "./setup-error.mjs";

const lockFile = fromRoot("package-lock.json");
const installedFile = fromRoot("node_modules", ".package-lock.json");
const stampFile = fromRoot("node_modules", ".signalbox-install");

export async function installDependencies() {
  const wanted = wantedStamp();
  if (readText(stampFile) === wanted) return;
  if (!isInstalled() || !isDriverLoadable()) await installCleanly();
  writeFileSync(stampFile, wanted);
}

function wantedStamp() {
  const lockHash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return `${lockHash} ${process.platform}-${process.arch} abi ${process.versions.modules}\n`;
}

function isInstalled() {
  const record = readText(installedFile);
  if (record === null) return false;
  return matchesLock(JSON.parse(readFileSync(lockFile, "utf8")), JSON.parse(record));
}

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry> }} Lock */

/**
 * Whether npm's record of an installation is one that the lockfile leads to. Optional packages of
 * other platforms are in the lockfile alone.
 *
 * @param {Lock} lock
 * @param {Lock} installed
 */
export function matchesLock(lock, installed) {
  for (const name of Object.keys(installed.packages)) {
    if (lock.packages[name] === undefined) return false;
  }
  for (const [name, entry] of Object.entries(lock.packages)) {
    if (!name.includes("node_modules/")) continue;
    const found = installed.packages[name];
    if (found === undefined) {
      if (!entry.optional && !entry.devOptional) return false;
    } else if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return false;
    }
  }
  return true;
}

/** The driver is compiled for one Node ABI; only loading it in this Node tells. */
function isDriverLoadable() {
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  return spawnSync(process.execPath, ["-e", probe], { cwd: rootDir }).status === 0;
}

async function installCleanly() {
  say("Installing dependencies. Where the SQLite driver has to be compiled this takes minutes.");
  // Builds need the development dependencies whatever NODE_ENV says.
  await runNpm(
    ["ci", "--include=dev", "--no-audit", "--no-fund", "--ignore-scripts"],
    "install.log",
  );
  await runNpm(rebuildOptions(readManifest().allowScripts), "rebuild.log");
  if (!isDriverLoadable()) throw new SetupError("The SQLite driver was built and does not load.");
}

/**
 * @param {string[]} options
 * @param {string} logName
 */
async function runNpm(options, logName) {
  const logFile = path.join(cacheDir, logName);
  const [file, args] = npmCommand();
  const code = await run(file, [...args, ...options], { logFile }).catch(() => {
    throw new SetupError("Signalbox needs npm, and it is not on PATH: it comes with Node.");
  });
  if (code === 0) return;
  const complaint = compilerComplaint(readText(logFile) ?? "", process.env);
  if (complaint !== null) throw new SetupError(complaint);
  const tail = await logTail(logFile);
  throw new SetupError(
    `${tail}\n\nnpm ${options[0]} failed with exit code ${code}; its output is in ${logFile}.`,
  );
}

function readManifest() {
  return JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
}

/**
 * Code runs at an installation only for the packages that are named, whatever npm is there: older
 * ones do not know `allowScripts`.
 *
 * @param {Record<string, boolean>} allowScripts
 */
export function rebuildOptions(allowScripts) {
  const names = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  return ["rebuild", "--ignore-scripts=false", "--foreground-scripts", ...names];
}

/** @returns {[string, string[]]} */
function npmCommand() {
  // Under `npm start` this is the npm that started us, found without PATH.
  const cli = process.env.npm_execpath;
  return cli?.endsWith("npm-cli.js") ? [process.execPath, [cli]] : ["npm", []];
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return null;
    throw error;
  }
}
