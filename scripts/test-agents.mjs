#!/usr/bin/env node
/**
 * Runs the real-agent tests: pinned third-party ACP agents from npm, driven through the whole
 * server against a local stand-in of the model APIs. Needs npm once per pin, and no account.
 *
 * Agents live outside the checkout, one folder per pinned version. A folder appears under its
 * final name only when its installation is complete, so an interrupted one is never used.
 * Arguments are handed to vitest.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { constants, homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const rootDir = fileURLToPath(new URL("..", import.meta.url));
const testsDir = join(rootDir, "tests", "real-agents");
const pinsDir = join(testsDir, "pinned");
const agentsDir = resolve(
  process.env.SIGNALBOX_AGENTS_DIR || join(homedir(), ".cache", "signalbox", "agents"),
);

/** A reason to stop that the operator can act on. */
class Refusal extends Error {}

try {
  requireTools();
  for (const name of readdirSync(pinsDir)) await ensureInstalled(name);
  process.exitCode = await runTests(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function requireTools() {
  if (process.platform !== "linux") {
    throw new Refusal(
      "The real-agent tests need Linux: they read /proc to find leftover processes.",
    );
  }
  if (!runs("npm", ["--version"])) {
    throw new Refusal("The real-agent tests need npm on PATH to install the pinned agents.");
  }
  if (!runs("bwrap", ["--version"])) {
    throw new Refusal(
      "The real-agent tests need bubblewrap for codex's sandbox: apt-get install bubblewrap.",
    );
  }
  if (!runs("bwrap", ["--ro-bind", "/", "/", "--unshare-user", "true"])) {
    throw new Refusal(
      "bubblewrap is installed but may not create user namespaces here, so codex's sandbox cannot start.",
    );
  }
}

function runs(command, args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

async function ensureInstalled(name) {
  const pin = join(pinsDir, name);
  const [version] = Object.values(readJson(join(pin, "package.json")).dependencies);
  const target = join(agentsDir, `${name}-${version}`);
  if (existsSync(target) && isSameLock(pin, target)) return;

  process.stdout.write(`Installing ${name} ${version} into ${target}\n`);
  mkdirSync(agentsDir, { recursive: true });
  const staging = mkdtempSync(join(agentsDir, `.installing-${name}-`));
  try {
    for (const file of ["package.json", "package-lock.json"]) {
      copyFileSync(join(pin, file), join(staging, file));
    }
    const exitCode = await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: staging });
    if (exitCode !== 0) throw new Refusal(`npm could not install ${name} ${version}.`);
    putInPlace(staging, target, pin);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Two runs may install at once: the later one then finds its work done. */
function putInPlace(staging, target, pin) {
  if (existsSync(target) && !isSameLock(pin, target)) rmSync(target, { recursive: true });
  try {
    renameSync(staging, target);
  } catch (error) {
    if (!isSameLock(pin, target)) throw error;
  }
}

/** Whether the installation was made from the lock file that the checkout has now. */
function isSameLock(pin, target) {
  const lock = "package-lock.json";
  return readFileSync(join(pin, lock), "utf8") === readFileSync(join(target, lock), "utf8");
}

async function runTests(args) {
  const reportDir = mkdtempSync(join(tmpdir(), "signalbox-test-agents-"));
  const report = join(reportDir, "report.json");
  const vitest = join(rootDir, "node_modules", "vitest", "vitest.mjs");
  const config = join(testsDir, "vitest.config.ts");
  try {
    const exitCode = await run(
      process.execPath,
      [
        ...[vitest, "run", "--config", config],
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
        ...args,
      ],
      { cwd: rootDir, env: { ...process.env, SIGNALBOX_AGENTS_DIR: agentsDir } },
    );
    const { passed, failed } = existsSync(report) ? count(readJson(report)) : emptyCount();
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    const isGood = failed === 0 && passed > 0; // a filter that fits no test is no success
    return exitCode === 0 && !isGood ? 1 : exitCode;
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}

/** Resolves with the command's exit code; SIGINT and SIGTERM are passed on and awaited. */
function run(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", forward);
  process.on("SIGTERM", forward);
  return new Promise((resolveExit, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      process.off("SIGINT", forward);
      process.off("SIGTERM", forward);
      resolveExit(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** A test file that could not be run counts as one failure. */
function count(report) {
  const broken = report.testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

function emptyCount() {
  return { passed: 0, failed: 1 };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
