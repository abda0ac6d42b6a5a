import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CatalogueAgent,
  type Confinement,
  GENERIC_PROFILE,
  profileOf,
} from "@signalbox/acp-runtime";
import type { AgentConfig, Settings } from "./settings.ts";

/** What every adapter may have of the server's own environment; everything else is passed by name. */
const BASE_ENV = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
];

const DEMO_ENV = ["SIGNALBOX_DEMO_DELAY_MS"];

/** Commands that fetch a package before they run it. */
const PACKAGE_RUNNERS = new Set(["npx", "uvx", "bunx", "pnpx"]);

export function baseEnvironment(settings: Settings): Record<string, string> {
  return pick(settings.environment, BASE_ENV);
}

/** The configured agents with everything a start needs. */
export function resolveAgents(settings: Settings): CatalogueAgent[] {
  return Object.entries(settings.agents)
    .filter(([, agent]) => agent.enabled)
    .map(([id, agent]) => resolveAgent(settings, id, agent));
}

function resolveAgent(settings: Settings, id: string, agent: AgentConfig): CatalogueAgent {
  if ("builtin" in agent) {
    return {
      id,
      title: agent.title ?? "Demo agent",
      ...demoCommand(),
      env: {
        ...pick(settings.environment, DEMO_ENV),
        SIGNALBOX_DEMO_STATE_DIR: path.join(settings.dataDir, "demo-agent"),
      },
      secrets: {},
      source: "builtin",
      isPackageRun: false,
      profile: GENERIC_PROFILE,
      model: null,
    };
  }
  const passed = pick(settings.environment, agent.passEnv);
  return {
    id,
    title: agent.title ?? id,
    command: agent.command,
    args: agent.args,
    env: { ...passed, ...agent.env },
    secrets: secretsOf(passed, agent.env),
    source: "config",
    isPackageRun: PACKAGE_RUNNERS.has(path.basename(agent.command)),
    profile: (agent.profile && profileOf(agent.profile)) || GENERIC_PROFILE,
    model: agent.model ?? null,
    ...(agent.launcher === "bwrap" ? { confinement: confinementOf(settings, agent.writable) } : {}),
  };
}

/** What is kept from a confined agent in its user's home, unless it is named as writable. */
const HOME_SECRETS = [".ssh", ".gnupg", ".aws", ".kube", ".netrc", ".git-credentials"];

function confinementOf(settings: Settings, writable: readonly string[]): Confinement {
  const home = settings.environment.HOME ?? os.homedir();
  const shown = writable.map((named) => path.normalize(named.replace(/^~(?=\/|$)/, home)));
  const secrets = HOME_SECRETS.map((name) => path.join(home, name));
  return {
    writable: shown,
    hidden: [
      settings.dataDir,
      settings.configFile,
      ...secrets.filter((secret) => !shown.includes(secret)),
    ],
  };
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE/i;

/**
 * What is passed on from the server's environment is taken for a secret unless every process has
 * it; a fixed value only when its name says so, since paths and shells stand in all that agents do.
 */
function secretsOf(
  passed: Readonly<Record<string, string>>,
  fixed: Readonly<Record<string, string>>,
): Record<string, string> {
  const common = new Set(BASE_ENV);
  return Object.fromEntries([
    ...Object.entries(passed).filter(([name]) => !common.has(name)),
    ...Object.entries(fixed).filter(([name]) => SECRET_NAME.test(name)),
  ]);
}

/** The bundle stands beside the server's; from source the agent runs as TypeScript. */
function demoCommand(): { command: string; args: string[] } {
  const bundled = fileURLToPath(new URL("./demo-agent.js", import.meta.url));
  if (fs.existsSync(bundled)) return { command: process.execPath, args: [bundled] };
  const source = fileURLToPath(
    new URL("../../../packages/demo-agent/src/main.ts", import.meta.url),
  );
  return { command: process.execPath, args: ["--import", import.meta.resolve("tsx"), source] };
}

function pick(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
