import { randomUUID } from "node:crypto";
import type { SessionRow } from "@signalbox/db";
import type { CatalogueAgent } from "../agents/catalogue.ts";
import { instructionsOf, launchedWith } from "../agents/instructions.ts";
import { Redaction } from "../output/redaction.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { mcpSecrets, readMcpServers } from "../sessions/mcp-secrets.ts";
import { objectOf } from "../sessions/session-view.ts";
import type { Adapter, AdapterOptions } from "./adapter.ts";
import { type ReportedSession, type SessionSetup, startBudget } from "./adapter-session.ts";
import { type StartBudget, startAdapter } from "./adapter-start.ts";
import { inBubblewrap } from "./bubblewrap.ts";
import type { StderrFeed } from "./stderr-feed.ts";

/** What a start needs to know of a session, whether or not it has a row yet. */
export interface LaunchPlan {
  /** Null for an adapter that is only asked something. */
  readonly sessionId: string | null;
  readonly agent: CatalogueAgent;
  readonly setup: SessionSetup;
  /** The session's own values; secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly instructions: string | null;
  /** Hears what the adapter writes to stderr, from its first byte on. */
  readonly stderr: StderrFeed;
}

export interface Launched {
  readonly adapter: Adapter;
  readonly budget: StartBudget;
}

/** Starts the plan's process and negotiates with it. @throws AppError as `startAdapter` says */
export async function launchAdapter(
  deps: RuntimeDeps,
  plan: LaunchPlan,
  signal: AbortSignal,
): Promise<Launched> {
  const { agent } = plan;
  const budget = startBudget(deps.limits, agent.isPackageRun);
  const redaction = new Redaction({
    ...mcpSecrets(plan.setup.mcpServers),
    ...agent.secrets,
    ...plan.env,
  });
  const options: AdapterOptions = {
    maxLineBytes: deps.limits.maxLineBytes,
    stopGraceMs: deps.limits.stopGraceMs,
    redaction,
    maxEarlyBytes: deps.limits.maxTurnOutputBytes,
    onBug: (error) => deps.onBug(error, `adapter of agent ${agent.id}`),
  };
  const mark = `${deps.markPrefix}.${randomUUID()}`;
  const carried = launchedWith(agent, plan.instructions);
  const plain = {
    command: agent.command,
    args: [...agent.args, ...carried.args],
    env: { ...deps.baseEnv, ...agent.env, ...carried.env, ...plan.env },
    cwd: plan.setup.cwd,
    mark,
    stderrTailBytes: deps.limits.stderrTailBytes,
    onStderr: plan.stderr.begin(redaction),
  };
  const { cwd, additionalDirectories } = plan.setup;
  const spec = agent.confinement
    ? await inBubblewrap(plain, agent.confinement, [cwd, ...additionalDirectories])
    : plain;
  const onLaunched = (adapter: Adapter) => {
    const { sessionId } = plan;
    if (sessionId === null) return;
    deps.launches.add({ sessionId, agent: agent.id, mark, startedAtMs: Date.now(), adapter });
  };
  const starter = { launch: deps.launch, options, version: deps.version, onLaunched };
  return { adapter: await startAdapter(starter, spec, budget, signal), budget };
}

/** The plan of a session that has a row. @throws AppError `unknown_agent`, `storage_corrupt` */
export function planOf(deps: RuntimeDeps, row: SessionRow, stderr: StderrFeed): LaunchPlan {
  const sealed = row.envSealed;
  const agent = deps.catalogue.get(row.agent);
  return {
    sessionId: row.sessionId,
    stderr,
    agent,
    instructions: instructionsOf(deps, {
      skipOsInstructions: row.skipOsInstructions !== 0,
      additionalInstructions: row.additionalInstructions,
    }),
    setup: {
      cwd: row.cwd,
      additionalDirectories: JSON.parse(row.additionalDirectories),
      mcpServers: readMcpServers(deps, row),
    },
    env: sealed === null ? {} : JSON.parse(deps.sealer.open(sealed, row.sessionId)),
  };
}

/** What the session's options and modes were, as its row keeps them. */
export function hadConfig(row: SessionRow): ReportedSession {
  return { configOptions: JSON.parse(row.configOptions), modes: objectOf(row.modes) };
}

/** The negotiation's answer in the columns of a session row. */
export function negotiatedOf(adapter: Adapter, reported: ReportedSession) {
  const { agentInfo } = adapter.initialized;
  return {
    agentSessionId: adapter.agentSessionId,
    capabilities: JSON.stringify(adapter.agentCapabilities),
    agentInfo: agentInfo === undefined ? null : JSON.stringify(agentInfo),
    fold: {
      ...(reported.configOptions ? { configOptions: JSON.stringify(reported.configOptions) } : {}),
      ...(reported.modes ? { modes: JSON.stringify(reported.modes) } : {}),
    },
  };
}
