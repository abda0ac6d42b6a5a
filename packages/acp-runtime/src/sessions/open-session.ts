/** What an open may ask for, checked before anything is started. */
import path from "node:path";
import type { SessionRow } from "@signalbox/db";
import {
  AppError,
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type McpServer,
  mcpServerSchema,
  type OpenSessionInput,
} from "@signalbox/protocol";
import type { WithSession } from "../queries.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { readMcpServers } from "./mcp-secrets.ts";

/** What an id stands for once it is open; another value is a conflict. */
export interface SessionIdentity {
  readonly agent: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly JsonObject[];
  readonly permissionPolicy: string;
  readonly skipOsInstructions: boolean;
  readonly additionalInstructions: string;
  readonly adopt: JsonValue;
}

/** Omitted equals the default, `""` equals omitted, paths are normalised with symlinks kept. */
export function identityOf(
  deps: RuntimeDeps,
  input: WithSession<OpenSessionInput>,
): SessionIdentity {
  return {
    agent: input.agent,
    cwd: absolutePath("cwd", input.cwd || deps.defaultWorkspace),
    additionalDirectories: (input.additionalDirectories ?? []).map((folder, index) =>
      absolutePath(`additionalDirectories.${index}`, folder),
    ),
    mcpServers: (input.mcpServers ?? []).map(checkMcpServer),
    permissionPolicy: input.permissionPolicy ?? "allow_all",
    skipOsInstructions: input.skipOsInstructions ?? false,
    additionalInstructions: input.additionalInstructions ?? "",
    adopt: input.adopt ? { ...input.adopt } : null,
  };
}

/** @throws AppError `session_conflict` naming the fields that differ */
export function assertSameIdentity(
  deps: Pick<RuntimeDeps, "sealer">,
  row: SessionRow,
  wanted: SessionIdentity,
): void {
  const stored: SessionIdentity = {
    agent: row.agent,
    cwd: row.cwd,
    additionalDirectories: JSON.parse(row.additionalDirectories),
    mcpServers: readMcpServers(deps, row),
    permissionPolicy: row.permissionPolicy,
    skipOsInstructions: row.skipOsInstructions !== 0,
    additionalInstructions: row.additionalInstructions,
    adopt: row.adopt === null ? null : JSON.parse(row.adopt),
  };
  const text = (value: unknown) => canonicalJson(JSON.parse(JSON.stringify(value ?? null)));
  const fields = (Object.keys(wanted) as (keyof SessionIdentity)[]).filter(
    (field) => text(stored[field]) !== text(wanted[field]),
  );
  if (fields.length === 0) return;
  throw new AppError(
    "session_conflict",
    `session ${row.sessionId} was opened with another ${fields.join(", ")}`,
    { details: { sessionId: row.sessionId, fields } },
  );
}

function absolutePath(field: string, folder: string): string {
  if (!path.isAbsolute(folder)) {
    throw new AppError("invalid_cwd", `${field} must be an absolute path`, { details: { field } });
  }
  const normal = path.normalize(folder);
  return normal.length > 1 ? normal.replace(/\/+$/, "") : normal;
}

function checkMcpServer(value: unknown, index: number): JsonObject {
  const parsed = mcpServerSchema.safeParse(value);
  if (parsed.success) return JSON.parse(JSON.stringify(parsed.data)) as JsonObject;
  const issue = parsed.error.issues[0];
  const field = ["mcpServers", index, ...(issue?.path ?? [])].map(String).join(".");
  throw new AppError("invalid_mcp_server", `${field} is not a valid MCP server`, {
    details: { field, problem: issue?.message ?? "invalid" },
  });
}

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names that would let a caller run code in the adapter or change what it runs. */
const REFUSED_ENV =
  /^(PATH|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*|BASH_ENV|ENV|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_.*COMMAND|SIGNALBOX_.*)$/;

/** @throws AppError `invalid_env` */
export function assertEnv(env: Readonly<Record<string, string>>, isAdmin: boolean): void {
  assertVariables("env", Object.entries(env), isAdmin);
}

/** @param field where the variables stand in the input */
function assertVariables(
  field: string,
  variables: readonly (readonly [name: string, value: string])[],
  isAdmin: boolean,
): void {
  for (const [name, value] of variables) {
    const refuse = (problem: string) =>
      new AppError("invalid_env", `${field}.${name} ${problem}`, {
        details: { field: `${field}.${name}` },
      });
    if (!ENV_NAME.test(name)) throw refuse("is not a valid name");
    if (value.includes("\0")) throw refuse("contains a NUL character");
    if (!isAdmin && REFUSED_ENV.test(name)) throw refuse("may only be set with scope X");
  }
}

/**
 * A stdio server is a command that the adapter runs: only an administrator names one that the
 * operator has not listed, and its variables are held to the same rules as the adapter's own.
 *
 * @param mcpServers as `identityOf` has parsed them
 * @throws AppError `forbidden` or `invalid_env`
 */
export function assertMcpServers(
  deps: Pick<RuntimeDeps, "mcpAllow">,
  mcpServers: readonly JsonObject[],
  isAdmin: boolean,
): void {
  for (const [index, value] of mcpServers.entries()) {
    const server = mcpServerSchema.parse(value);
    if (!isStdio(server)) continue;
    if (!isAdmin && !deps.mcpAllow.includes(server.command)) {
      const field = `mcpServers.${index}.command`;
      throw new AppError(
        "forbidden",
        `${field} ${server.command} is not on mcpServers.allow; running it needs scope X`,
        { details: { field } },
      );
    }
    const variables = server.env.map(({ name, value }) => [name, value] as const);
    assertVariables(`mcpServers.${index}.env`, variables, isAdmin);
  }
}

function isStdio(server: McpServer): server is Extract<McpServer, { command: string }> {
  return server.type !== "http" && server.type !== "sse";
}
