/**
 * The build steps. Each runs only when its inputs changed since its last success.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { logTail, run } from "./command.mjs";
import { whenChanged } from "./fingerprint.mjs";
import { cacheDir, fromRoot, installedProgram, rootDir } from "./paths.mjs";
import { SetupError, say } from "./setup-error.mjs";
import { workspaceExports } from "./workspaces.mjs";

const DATABASE_INPUTS = ["prisma/schema.prisma", "prisma.config.ts"];
const BUNDLES = {
  "apps/server/dist/main": fromRoot("apps", "server", "src", "main.ts"),
  "apps/server/dist/demo-agent": fromRoot("packages", "demo-agent", "src", "main.ts"),
  "packages/client/dist/cli": fromRoot("packages", "client", "src", "cli", "main.ts"),
};

/** Our own builds report to nobody and look for no updates. */
export const quietEnv = {
  NEXT_TELEMETRY_DISABLED: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
};

/** Generates the database client from the model. */
export async function generateDatabaseClient() {
  await whenChanged({
    name: "database-client",
    inputs: DATABASE_INPUTS,
    outputs: ["packages/db/src/generated/client.ts"],
    salt: lockText(),
    action: () =>
      runStep("Generating the database client", installedProgram("prisma", "build/index.js"), [
        "generate",
        "--config",
        fromRoot("prisma.config.ts"),
      ]),
  });
}

/** Bundles the server with the demo agent, and the `signalbox` command. */
export async function bundleServer() {
  await whenChanged({
    name: "server",
    inputs: ["apps/server/src", "packages", "scripts/lib/build.mjs", ...DATABASE_INPUTS],
    outputs: Object.keys(BUNDLES).map((name) => `${name}.js`),
    salt: lockText(),
    action: bundle,
  });
}

async function bundle() {
  say("Bundling the server");
  const { build } = await import("esbuild");
  const sources = workspaceExports();
  await build({
    absWorkingDir: rootDir,
    entryPoints: BUNDLES,
    outdir: ".",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    logLevel: "warning",
    packages: "external",
    plugins: [
      {
        name: "workspace-packages",
        setup: ({ onResolve }) => {
          onResolve({ filter: /^@signalbox\// }, ({ path: specifier }) => {
            const source = sources.get(specifier);
            if (source !== undefined) return { path: source };
            return { errors: [{ text: `no workspace exports ${specifier}` }] };
          });
        },
      },
    ],
  }).catch((error) => {
    // esbuild has printed the errors with their places by now.
    throw new SetupError(`Bundling the server failed: ${error.message.split("\n")[0]}`);
  });
}

/** Builds the console for production. */
export async function buildConsole() {
  const consoleDir = fromRoot("apps", "console");
  await whenChanged({
    name: "console",
    // Of the other packages it takes in only types, which leave nothing in a build.
    inputs: ["apps/console", "packages/protocol"],
    outputs: ["apps/console/.next/BUILD_ID"],
    salt: lockText(),
    action: () =>
      runStep(
        "Building the console",
        installedProgram("next", "dist/bin/next", consoleDir),
        ["build"],
        { cwd: consoleDir, env: { NODE_ENV: "production" } },
      ),
  });
}

function lockText() {
  return readFileSync(fromRoot("package-lock.json"), "utf8");
}

/**
 * @param {string} title
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
async function runStep(title, program, args, { cwd = rootDir, env = {} } = {}) {
  say(title);
  const logFile = path.join(cacheDir, `${title.toLowerCase().replaceAll(" ", "-")}.log`);
  const code = await run(process.execPath, [program, ...args], {
    cwd,
    logFile,
    env: { ...process.env, ...quietEnv, ...env },
  });
  if (code === 0) return;
  throw new SetupError(`${await logTail(logFile)}\n\n${title} failed with exit code ${code}.`);
}
