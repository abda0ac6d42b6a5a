import { defineConfig } from "@playwright/test";
import { findSystemChromium } from "./scripts/lib/chromium.mjs";

const executablePath = findSystemChromium(process.env);
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.journey.ts",
  outputDir: "test-results",
  // Each journey owns a server, a console and an agent; two at once would share two cores.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      // The sandbox refuses to start as root; the rest keeps the browser from calling home.
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  projects: [
    { name: "light", use: { colorScheme: "light" } },
    // What is counted, timed or attacked, or hardly seen, is the same in any colours.
    {
      name: "dark",
      use: { colorScheme: "dark" },
      testIgnore:
        /(budgets|early-login|evil-origin|hostile|long-history|own-checks|stderr)\.journey\.ts/,
    },
  ],
});
