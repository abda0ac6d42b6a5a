/**
 * Where the browser tests get their browser. Shared by Playwright's configuration, which only
 * looks, and by `npm test`, which installs one where it can.
 */
import { existsSync } from "node:fs";
import { run } from "./command.mjs";
import { installedProgram } from "./paths.mjs";
import { SetupError, say } from "./setup-error.mjs";

const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} path of a Chromium, or null when Playwright's own should be tried
 * @throws {SetupError} when the environment names one that is not there
 */
export function findSystemChromium(env) {
  const named = env.PLAYWRIGHT_CHROMIUM_EXECUTABLE;
  if (named) {
    if (existsSync(named)) return named;
    throw new SetupError(`PLAYWRIGHT_CHROMIUM_EXECUTABLE names ${named}, which does not exist.`);
  }
  return SYSTEM_BROWSERS.find((file) => existsSync(file)) ?? null;
}

/**
 * Finds a Chromium, installing one if need be.
 *
 * @throws {SetupError} when there is none and none can be installed
 */
export async function requireChromium() {
  if (await hasChromium()) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Installing Chromium with apt-get for the browser tests");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env });
    await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], { env });
    if (await hasChromium()) return;
  }
  say("Installing Playwright's Chromium for the browser tests");
  const playwright = installedProgram("@playwright/test", "cli.js");
  await run(process.execPath, [playwright, "install", "chromium"]);
  if (await hasChromium()) return;
  throw new SetupError(
    "The browser tests need Chromium, and there is none at PLAYWRIGHT_CHROMIUM_EXECUTABLE, /usr/bin/chromium or /usr/bin/google-chrome, and neither apt-get nor Playwright could install it: install Chromium, or name one in PLAYWRIGHT_CHROMIUM_EXECUTABLE.",
  );
}

async function hasChromium() {
  if (findSystemChromium(process.env) !== null) return true;
  const { chromium } = await import("@playwright/test");
  return existsSync(chromium.executablePath());
}
