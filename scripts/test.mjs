/**
 * `npm test`: sets up as `npm start` does, then runs the unit, integration and browser tests. The
 * last line on stdout adds up both runners.
 */
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { mkdirSync, rmSync } = await import("node:fs");
const path = await import("node:path");
const { requireChromium } = await import("./lib/chromium.mjs");
const { run } = await import("./lib/command.mjs");
const { cacheDir, installedProgram } = await import("./lib/paths.mjs");
const { prepare } = await import("./lib/prepare.mjs");
const { main } = await import("./lib/setup-error.mjs");
const { closingLine, countPlaywright, countVitest, sum } = await import("./lib/test-report.mjs");

const resultsDir = path.join(cacheDir, "results");

await main(async () => {
  await prepare();
  await requireChromium();
  mkdirSync(resultsDir, { recursive: true });
  const total = sum([await runVitest(), await runPlaywright()]);
  process.stdout.write(`\n${closingLine(total)}\n`);
  if (total.failed > 0) process.exitCode = 1;
});

async function runVitest() {
  const reportFile = freshReport("vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const exitCode = await runNode(installedProgram("vitest", "vitest.mjs"), args);
  return countVitest(reportFile, exitCode);
}

async function runPlaywright() {
  const reportFile = freshReport("playwright.json");
  const exitCode = await runNode(
    installedProgram("@playwright/test", "cli.js"),
    ["test", "--reporter=list,json"],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
  );
  return countPlaywright(reportFile, exitCode);
}

/** @param {string} name */
function freshReport(name) {
  const file = path.join(resultsDir, name);
  // A runner that dies early must not be judged by the report of an earlier run.
  rmSync(file, { force: true });
  return file;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function runNode(program, args, env = {}) {
  return run(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    ownsStdout: true,
  });
}
