/** The configuration file and the environment, read once, checked before anything else happens. */
import fs from "node:fs";
import path from "node:path";
import { PROFILE_NAMES } from "@signalbox/acp-runtime";
import {
  type AcpLimits,
  acpLimitsSchema,
  EXIT_CODE,
  limitContradictions,
} from "@signalbox/protocol";
import { z } from "zod";
import { type ConnectionLimits, connectionLimitsSchema } from "./connection-limits.ts";
import { ExitError } from "./exit-error.ts";
import { isLogLevel, type LogLevel } from "./log.ts";

const DEFAULT_CONFIG_FILE = "signalbox.config.json";

const envValues = z.record(z.string(), z.string());

const agentSchema = z.union([
  z.strictObject({
    builtin: z.literal("demo"),
    title: z.string().optional(),
    enabled: z.boolean().default(true),
  }),
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: envValues.default({}),
    passEnv: z.array(z.string()).default([]),
    title: z.string().optional(),
    profile: z.enum(PROFILE_NAMES).optional(),
    model: z.string().optional(),
    launcher: z.enum(["plain", "bwrap"]).default("plain"),
    /** Only for a launcher that confines. */
    writable: z.array(z.string().regex(/^(~|~?\/.*)$/, "must begin with / or ~/")).default([]),
    enabled: z.boolean().default(true),
    /** The form of editors' `agent_servers`; it says nothing that we need. */
    type: z.string().optional(),
  }),
]);

export type AgentConfig = z.infer<typeof agentSchema>;

const configSchema = z.strictObject({
  agents: z
    .record(z.string().min(1), agentSchema)
    .default({ demo: { builtin: "demo", enabled: true } }),
  workspaces: z
    .strictObject({
      default: z.string().default("./workspace"),
      roots: z.array(z.string()).min(1).optional(),
    })
    .default({ default: "./workspace" }),
  instructions: z.string().optional(),
  mcpServers: z.strictObject({ allow: z.array(z.string()).default([]) }).default({ allow: [] }),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z.number().int().min(0).max(65_535).default(4170),
      allowedHosts: z.array(z.string()).default([]),
      trustedProxy: z.boolean().default(false),
      plainHttp: z.boolean().default(false),
    })
    .prefault({}),
  limits: z
    .strictObject({
      acp: acpLimitsSchema.prefault({}),
      connections: connectionLimitsSchema.prefault({}),
    })
    .prefault({}),
});

/** How the console is served: by a process of ours, by one that runs already, or not at all. */
export type ConsoleMode = { kind: "process" } | { kind: "url"; url: string } | { kind: "off" };

export interface Settings {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly defaultWorkspace: string;
  readonly workspaceRoots: readonly string[];
  readonly instructions: string | null;
  /** Commands of stdio MCP servers that callers without scope X may name. */
  readonly mcpAllow: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  /** Whether a proxy of the operator's stands before the port and names the callers' addresses. */
  readonly trustedProxy: boolean;
  readonly limits: AcpLimits;
  readonly connectionLimits: ConnectionLimits;
  readonly dataDir: string;
  readonly configFile: string;
  readonly logLevel: LogLevel;
  readonly console: ConsoleMode;
  /** The server's own environment, for what an agent's configuration passes on. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * @throws ExitError with code 2 and the path of the offending field
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  // A variable that is set to nothing is not set.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const configFile = path.resolve(env.SIGNALBOX_CONFIG ?? DEFAULT_CONFIG_FILE);
  const isNamed = env.SIGNALBOX_CONFIG !== undefined;
  const config = parseConfig(readConfigFile(configFile, isNamed), configFile);
  const base = path.dirname(configFile);
  const defaultWorkspace = path.resolve(base, config.workspaces.default);
  const roots = config.workspaces.roots ?? [config.workspaces.default];
  const workspaceRoots = roots.map((root) => path.resolve(base, root));
  if (!workspaceRoots.some((root) => isInside(defaultWorkspace, root))) {
    throw badConfiguration(
      `${configFile}: workspaces.default: ${defaultWorkspace} lies in none of workspaces.roots`,
    );
  }
  const host = env.SIGNALBOX_HOST ?? config.server.host;
  assertHost(host, config.server);
  const contradiction = limitContradictions(config.limits.acp)[0];
  if (contradiction) throw badConfiguration(`${configFile}: ${contradiction}`);
  return {
    agents: config.agents,
    defaultWorkspace,
    workspaceRoots,
    instructions: config.instructions ?? null,
    mcpAllow: config.mcpServers.allow,
    host,
    port: portOf(env.SIGNALBOX_PORT) ?? config.server.port,
    allowedHosts: config.server.allowedHosts,
    trustedProxy: config.server.trustedProxy,
    limits: config.limits.acp,
    connectionLimits: config.limits.connections,
    dataDir: path.resolve(env.SIGNALBOX_DATA_DIR ?? ".signalbox"),
    configFile,
    logLevel: logLevelOf(env.SIGNALBOX_LOG),
    console: consoleModeOf(env),
    environment: Object.fromEntries(
      Object.entries(environment).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
  };
}

function badConfiguration(message: string): ExitError {
  return new ExitError(EXIT_CODE.badConfiguration, message);
}

function readConfigFile(file: string, isNamed: boolean): unknown {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing && !isNamed) return {};
    throw badConfiguration(`The configuration file ${file} cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw badConfiguration(`The configuration file ${file} is not valid JSON: ${reason}`);
  }
}

function parseConfig(value: unknown, file: string): z.infer<typeof configSchema> {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path: field, problem } = firstProblem(parsed.error);
  throw badConfiguration(`${file}: ${field || "(top level)"}: ${problem}`);
}

/** The innermost issue, with unknown fields named by their full path. */
function firstProblem(error: z.ZodError): { path: string; problem: string } {
  let issue = error.issues[0];
  const at: PropertyKey[] = [...(issue?.path ?? [])];
  while (issue?.code === "invalid_union") {
    const branches = issue.errors.filter((branch) => branch.length > 0);
    const deepest = branches.sort((a, b) => a.length - b.length)[0]?.[0];
    if (!deepest) break;
    at.push(...deepest.path);
    issue = deepest;
  }
  if (issue?.code === "unrecognized_keys") {
    at.push(...issue.keys.slice(0, 1));
    return { path: at.map(String).join("."), problem: "unknown field" };
  }
  return { path: at.map(String).join("."), problem: issue?.message ?? "invalid" };
}

function isInside(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** Who opens the network says under which names, and what keeps strangers from listening in. */
function assertHost(
  host: string,
  server: { allowedHosts: readonly string[]; trustedProxy: boolean; plainHttp: boolean },
): void {
  if (LOOPBACK.has(host)) return;
  const subject = `server.host or SIGNALBOX_HOST: ${host} is not a loopback address;`;
  if (server.allowedHosts.length === 0) {
    throw badConfiguration(`${subject} name the hosts that may be used in server.allowedHosts.`);
  }
  if (server.trustedProxy || server.plainHttp) return;
  throw badConfiguration(
    `${subject} set server.trustedProxy when only a proxy with TLS reaches it, or server.plainHttp when tokens and prompts may be read on the way.`,
  );
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw badConfiguration(`SIGNALBOX_PORT: ${text} is not a port from 0 to 65535.`);
}

function logLevelOf(text: string | undefined): LogLevel {
  if (text === undefined) return "info";
  if (isLogLevel(text)) return text;
  throw badConfiguration(`SIGNALBOX_LOG: ${text} is not one of debug, info, warn, error, silent.`);
}

function consoleModeOf(env: NodeJS.ProcessEnv): ConsoleMode {
  if (env.SIGNALBOX_CONSOLE === "off") return { kind: "off" };
  const url = env.SIGNALBOX_CONSOLE_URL;
  return url === undefined ? { kind: "process" } : { kind: "url", url };
}
