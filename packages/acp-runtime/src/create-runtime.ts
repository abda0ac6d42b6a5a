import { setMaxListeners } from "node:events";
import {
  countPendingPermissions,
  countRunningPrompts,
  countSessions,
  foldInWrite,
  readDatabaseBytes,
  readSession,
  readSessionsWithQueuedPrompts,
  tellFleetInWrite,
} from "@signalbox/db";
import { AppError, type JsonObject, parseSessionId } from "@signalbox/protocol";
import { adapterProcesses, heldOf } from "./adapter/adapter-processes.ts";
import { configParams, reportedBy } from "./adapter/adapter-session.ts";
import { agentStderr } from "./adapter/agent-stderr.ts";
import { checkAgent } from "./agents/agent-check.ts";
import { authenticateAgent, listAgentSessions } from "./agents/agent-sessions.ts";
import { auditAct, auditAgent, shownValue } from "./audited-acts.ts";
import { decodeSessionCursor, type SessionCursor } from "./reads/cursor.ts";
import { exportSession } from "./reads/export.ts";
import { followFleet } from "./reads/follow-fleet.ts";
import { followSession } from "./reads/follow-session.ts";
import { searchHistory } from "./reads/search.ts";
import {
  configOf,
  cursorAhead,
  cursorExpired,
  getSessionInfo,
  listPendingPermissions,
  listPendingQuestions,
  listSessions,
  readConfig,
  readHistory,
  resolveAfter,
} from "./reads/stored-reads.ts";
import { usageSummary } from "./reads/usage-summary.ts";
import { respondToPermission, respondToQuestion } from "./requests/request-answers.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { assertConfigValue } from "./sessions/config-value.ts";
import type { SessionHost } from "./sessions/session-host.ts";
import { SessionHosts } from "./sessions/session-hosts.ts";
import { SessionLifecycle } from "./sessions/session-lifecycle.ts";
import { objectOf } from "./sessions/session-view.ts";
import { PromptRetention } from "./turns/prompt-retention.ts";
import { SessionPrompts } from "./turns/session-prompts.ts";
import { RpcError, WireClosedError } from "./wire/rpc-error.ts";

/** How long an agent may take to answer a change of one of its options, in milliseconds. */
const CONFIG_TIMEOUT_MS = 60_000;

/** The runtime, and the start of what a stopped server left queued, which waits for the open port. */
export interface StartableRuntime extends Runtime {
  startQueuedPrompts(): Promise<void>;
}

export function createRuntime(deps: RuntimeDeps): StartableRuntime {
  const hosts = new SessionHosts(deps);
  const closing = new AbortController();
  // Every start listens to it.
  setMaxListeners(0, closing.signal);
  const lifecycle = new SessionLifecycle(deps, hosts, closing.signal);
  const retention = new PromptRetention(deps);
  const prompts = new SessionPrompts(deps, hosts, retention);
  const presenceOf = (sessionId: string) => hosts.presenceOf(sessionId);
  let isDraining = false;

  /** Commands under way: a stop waits for them, since one may be about to start an adapter. */
  const running = new Set<Promise<unknown>>();
  const accepting =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isDraining) throw new AppError("server_draining", "the server is stopping");
      const command = run(...args);
      running.add(command);
      try {
        return await command;
      } finally {
        running.delete(command);
      }
    };

  return {
    listAgents: async () => ({ agents: deps.catalogue.list() }),
    checkAgent: accepting(async (agent, caller) => {
      const report = await checkAgent(deps, agent, closing.signal);
      await auditAgent(deps, { action: "agents.check", agent, caller, ok: report.ok });
      return report;
    }),
    listAgentSessions: accepting((query) => listAgentSessions(deps, query, closing.signal)),
    authenticateAgent: accepting(async ({ agent, methodId }, caller) => {
      await authenticateAgent(deps, { agent, methodId }, closing.signal);
      await auditAgent(deps, { action: "agents.authenticate", agent, caller, ok: true });
    }),
    agentProcesses: async () => ({
      processes: [...(await adapterProcesses(deps.launches.all)), ...hosts.all.flatMap(heldOf)],
    }),
    agentStderr: (sessionId) => agentStderr(deps, hosts, sessionId),
    openSession: accepting((input, caller) => lifecycle.open(input, caller)),
    rotateEnv: accepting(({ sessionId, env }, caller) =>
      lifecycle.rotateEnv(sessionId, env, caller),
    ),
    unloadSession: async (sessionId, caller) => {
      await lifecycle.unload(sessionId);
      await auditAct(deps, { action: "sessions.unload", sessionId, target: null, caller });
    },
    deleteSession: async (sessionId, caller) => {
      await lifecycle.delete(sessionId, caller);
      retention.forget(sessionId);
    },
    getSession: (sessionId) => getSessionInfo(deps, presenceOf, sessionId),
    listSessions: (query) => listSessions(deps, presenceOf, query),
    history: (query) => readHistory(deps, query),
    search: (query) => searchHistory(deps, query),
    exportSession: accepting((target) => exportSession(deps, target)),
    sessionConfig: (sessionId) => readConfig(deps, sessionId),
    sessionCapabilities: async (sessionId) => {
      const row = await readSession(deps.db, parseSessionId(sessionId));
      return { capabilities: objectOf(row.capabilities) };
    },
    sessionAgentInfo: async (sessionId) => {
      const row = await readSession(deps.db, parseSessionId(sessionId));
      return { agentInfo: objectOf(row.agentInfo) };
    },
    submitPrompt: accepting((input) => prompts.submit(input)),
    promptResult: (target, signal) => prompts.result(target, signal),
    awaitPrompt: (target, waitMs, signal) => prompts.await(target, waitMs, signal),
    cancelPrompt: async (target, caller, signal) => {
      const { sessionId, promptId } = target;
      const result = await prompts.cancel(target, signal);
      await auditAct(deps, {
        action: "sessions.cancelPrompt",
        sessionId,
        target: promptId ?? null,
        caller,
        outcome: result.status,
      });
      return result;
    },
    setConfigOption: accepting(async (change, caller, signal) => {
      const { sessionId, configId } = change;
      const host = await hosts.get(sessionId);
      const result = await setConfigOption(deps, host, change, signal);
      await auditAct(deps, {
        action: "sessions.setConfigOption",
        sessionId,
        target: configId,
        caller,
        details: { value: shownValue(change.value) },
      });
      return result;
    }),
    followSession: (from, signal) => follow(deps, hosts, from, signal),
    followFleet: ({ lastEventId }, signal) => followFleet(deps, presenceOf, lastEventId, signal),
    respondToPermission: (answer, caller) => respondToPermission(deps, hosts, answer, caller),
    pendingPermissions: (query) => listPendingPermissions(deps, query),
    usageSummary: (query) => usageSummary(deps, query),
    respondToQuestion: (answer, caller) => respondToQuestion(deps, hosts, answer, caller),
    pendingQuestions: (query) => listPendingQuestions(deps, query),
    info: async () => ({
      limits: deps.limits,
      counts: {
        sessions: await countSessions(deps.db),
        liveAdapters: deps.adapters.count,
        runningPrompts: await countRunningPrompts(deps.db),
        pendingPermissions: await countPendingPermissions(deps.db),
      },
      storage: {
        databaseBytes: await readDatabaseBytes(deps.db),
        walBytes: deps.db.walBytes,
      },
    }),
    startQueuedPrompts: async () => {
      retention.start();
      for (const sessionId of await readSessionsWithQueuedPrompts(deps.db)) {
        const host = await hosts.get(sessionId);
        void host.turns.goOn();
      }
    },
    close: async ({ graceMs }) => {
      isDraining = true;
      await retention.stop();
      await drain(hosts, graceMs);
      closing.abort(new AppError("server_draining", "the server is stopping"));
      for (const host of hosts.all) host.turns.stopRetrying();
      const failures = await unloadAll(hosts.all);
      await Promise.allSettled(running);
      const late = hosts.all.filter(
        (host) => host.turns.current !== null || host.adapter.presence !== "unloaded",
      );
      failures.push(...(await unloadAll(late)));
      for (const host of hosts.all) host.stop();
      if (failures.length > 0) throw new AggregateError(failures, "sessions did not stop in order");
    },
  };
}

/** @returns what went wrong; every adapter is gone all the same */
async function unloadAll(hosts: readonly SessionHost[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(
    hosts.map((host) => host.unload("server_stopped", { keepsQueue: true })),
  );
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
}

/** Lets running turns end by themselves for `graceMs`; no queued one starts any more. */
async function drain(hosts: SessionHosts, graceMs: number): Promise<void> {
  for (const host of hosts.all) host.turns.hold();
  const running = hosts.all.flatMap((host) => host.turns.current?.ended ?? []);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.all(running), patience]);
  clearTimeout(timer);
}

const NOTHING_READ: SessionCursor = { sequence: 0, serial: 0, offset: 0 };

async function* follow(
  deps: RuntimeDeps,
  hosts: SessionHosts,
  from: { sessionId: string; after: number | undefined; lastEventId: string | null },
  signal: AbortSignal,
) {
  const host = await hosts.get(from.sessionId);
  const row = await readSession(deps.db, host.sessionId);
  let start: SessionCursor;
  if (from.lastEventId !== null) {
    const { cursor, isCurrent } = decodeSessionCursor(row, from.lastEventId);
    if (!isCurrent || cursor.sequence < row.oldestSequence - 1) {
      throw cursorExpired(row, cursor.sequence);
    }
    if (cursor.sequence > row.latestSequence) throw cursorAhead(row, cursor.sequence);
    start = cursor;
  } else if (from.after !== undefined) {
    start = { ...NOTHING_READ, sequence: resolveAfter(row, from.after) };
  } else {
    start = { ...NOTHING_READ, sequence: host.log.sequence };
  }
  yield* followSession({ db: deps.db, log: host.log, incarnation: row.incarnation }, start, signal);
}

async function setConfigOption(
  deps: RuntimeDeps,
  host: SessionHost,
  change: { configId: string; value: string | boolean },
  signal: AbortSignal,
): Promise<{ revision: number; options: JsonObject[] }> {
  await assertConfigValue(deps.db, { ...change, sessionId: host.sessionId });
  const adapter = await host.adapter.ensure(signal);
  host.touch();
  const { configId, value } = change;
  let configOptions: JsonObject[] | null = null;
  let stored = Promise.resolve();
  // Queued where the answer stands on the wire, so that an update behind it is stored after it.
  const onAnswer = () => {
    stored = host.log.write((sqlite) => {
      if (configOptions === null) return;
      const { sessionId } = host;
      foldInWrite(sqlite, sessionId, { configOptions: JSON.stringify(configOptions) });
      tellFleetInWrite(sqlite, { type: "session_changed", sessionId }, Date.now());
    });
    // Awaited below; a refusal of the agent comes first.
    stored.catch(() => undefined);
  };
  try {
    const answer = await adapter.request(
      "session/set_config_option",
      configParams(adapter.agentSessionId, configId, value),
      { signal, timeoutMs: CONFIG_TIMEOUT_MS, onAnswer },
    );
    configOptions = reportedBy(answer).configOptions;
    await stored;
  } catch (error) {
    if (error instanceof RpcError) {
      const { method, rpcCode, rpcMessage, rpcData } = error;
      throw new AppError("config_rejected", `the agent refused ${configId}: ${rpcMessage}`, {
        details: { configId, method, rpcCode, rpcMessage, rpcData },
      });
    }
    if (error instanceof WireClosedError) {
      const end = await adapter.ended;
      throw new AppError("adapter_exited", "the agent exited before it answered", {
        details: { exitCode: end.code, signal: end.signal, stderrTail: end.stderrTail },
      });
    }
    throw error;
  }
  const { revision, options } = configOf(await readSession(deps.db, host.sessionId));
  return { revision, options };
}
