/**
 * `npm run test:agents`: pinned third-party ACP agents, driven through the real server against a
 * local stand-in of the model APIs. Needs npm once per pin, and no account.
 *
 * Agents live outside the checkout, one folder per pinned version. A folder appears under its
 * final name only when its installation is complete, so an interrupted one is never used.
 * Arguments go to vitest.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { spawnSync } = await import("node:child_process");
const fs = await import("node:fs");
const { homedir } = await import("node:os");
const path = await import("node:path");
const { run } = await import("./lib/command.mjs");
const { cacheDir, fromRoot, installedProgram } = await import("./lib/paths.mjs");
const { prepare } = await import("./lib/prepare.mjs");
const { main, SetupError, say } = await import("./lib/setup-error.mjs");
const { closingLine, countVitest } = await import("./lib/test-report.mjs");

const pinsDir = fromRoot("tests", "real-agents", "pinned");
const agentsDir = path.resolve(
  process.env.SIGNALBOX_AGENTS_DIR || path.join(homedir(), ".cache", "signalbox", "agents"),
);

await main(async () => {
  requireTools();
  await prepare({ builds: false });
  for (const name of fs.readdirSync(pinsDir)) await installAgent(name);
  const counts = await runVitest(process.argv.slice(2));
  process.stdout.write(`\n${closingLine(counts)}\n`);
  if (counts.failed > 0) process.exitCode = 1;
});

function requireTools() {
  if (process.platform !== "linux") {
    throw new SetupError("The agent tests need Linux: they find leftover processes in /proc.");
  }
  if (!succeeds("npm", ["--version"])) {
    throw new SetupError("The agent tests need npm on PATH to install the pinned agents.");
  }
  if (!succeeds("bwrap", ["--version"])) {
    throw new SetupError(
      "The agent tests need bubblewrap for codex's sandbox: apt-get install bubblewrap.",
    );
  }
  if (!succeeds("bwrap", ["--ro-bind", "/", "/", "--unshare-user", "true"])) {
    throw new SetupError(
      "The agent tests need user namespaces for codex's sandbox, and bubblewrap may not create any here.",
    );
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function succeeds(command, args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** @param {string} name of a folder with a manifest and a lock file */
async function installAgent(name) {
  const pin = path.join(pinsDir, name);
  const manifest = JSON.parse(fs.readFileSync(path.join(pin, "package.json"), "utf8"));
  const title = `${name}-${Object.values(manifest.dependencies).join()}`;
  const target = path.join(agentsDir, title);
  if (isInstalled(target, pin)) return;

  say(`Installing ${title} into ${agentsDir}`);
  fs.mkdirSync(agentsDir, { recursive: true });
  const staging = fs.mkdtempSync(path.join(agentsDir, ".installing-"));
  // A signal ends this process without unwinding.
  process.once("exit", () => fs.rmSync(staging, { recursive: true, force: true }));
  for (const file of ["package.json", "package-lock.json"]) {
    fs.copyFileSync(path.join(pin, file), path.join(staging, file));
  }
  if ((await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: staging })) !== 0) {
    throw new SetupError(`npm could not install ${title}.`);
  }
  putInPlace(staging, target, pin);
}

/**
 * Two runs may install at once: the later one then finds its work done.
 *
 * @param {string} staging
 * @param {string} target
 * @param {string} pin
 */
function putInPlace(staging, target, pin) {
  if (!isInstalled(target, pin)) fs.rmSync(target, { recursive: true, force: true });
  try {
    fs.renameSync(staging, target);
  } catch (error) {
    if (!isInstalled(target, pin)) throw error;
  }
}

/**
 * Whether the folder holds what the checkout's lock file says now.
 *
 * @param {string} target
 * @param {string} pin
 */
function isInstalled(target, pin) {
  const lock = "package-lock.json";
  return (
    fs.existsSync(path.join(target, lock)) &&
    fs.readFileSync(path.join(target, lock), "utf8") ===
      fs.readFileSync(path.join(pin, lock), "utf8")
  );
}

/** @param {string[]} args */
async function runVitest(args) {
  const reportFile = path.join(cacheDir, "results", "agents.json");
  // A runner that dies early must not be judged by the report of an earlier run.
  fs.rmSync(reportFile, { force: true });
  const exitCode = await run(
    process.execPath,
    [
      ...[installedProgram("vitest", "vitest.mjs"), "run"],
      ...["--config", fromRoot("tests", "real-agents", "vitest.config.ts")],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
      ...args,
    ],
    { env: { ...process.env, SIGNALBOX_AGENTS_DIR: agentsDir }, ownsStdout: true },
  );
  return countVitest(reportFile, exitCode);
}
