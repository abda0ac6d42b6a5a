import { spawnSync } from "node:child_process";
import { configDefaults, defineConfig } from "vitest/config";

// What needs bubblewrap runs where that may make namespaces; CI has it and finds out if it does not.
const canConfine =
  process.env.CI !== undefined ||
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"]).status === 0;

export default defineConfig({
  test: {
    include: ["{packages,apps,scripts,tooling,docs}/**/*.test.{ts,tsx}", "tests/**/*.test.ts"],
    // Journeys belong to Playwright; the real agents are installed by a command of their own.
    exclude: [
      ...configDefaults.exclude,
      ...["**/.next/**", "tests/e2e/**", "tests/real-agents/**"],
      ...(canConfine ? [] : ["tests/integration/confined-agent.test.ts"]),
    ],
    setupFiles: ["tests/setup/quiet-console.ts"],
    // Tests start real processes and open real databases; a process per file keeps them apart.
    pool: "forks",
    maxWorkers: 2,
    // Polls end with what they wait for; a busy machine only makes them longer.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    sequence: { concurrent: false },
  },
});
