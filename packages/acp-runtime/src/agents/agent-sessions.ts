/** What an agent is asked outside any session of ours: its own sessions, and to log in. */
import fs from "node:fs/promises";
import { type AgentSession, AppError, isJsonObject, type JsonValue } from "@signalbox/protocol";
import { authMethodsOf, patienceOf } from "../adapter/adapter-start.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { identityOf } from "../sessions/open-session.ts";
import { assertFolders } from "../sessions/session-folders.ts";
import { RpcError } from "../wire/rpc-error.ts";
import { transientPlan, withTransientAdapter } from "./transient-adapter.ts";

/**
 * The agent's own sessions of a folder, for adoption. The folder is compared here, behind symlinks,
 * since agents write it down in different ways; a page may therefore be short or empty.
 *
 * @throws AppError `adapter_incompatible` when the agent lists none; `invalid_cwd`, `cwd_missing`,
 *   `unknown_agent`, or as a start does
 */
export async function listAgentSessions(
  deps: RuntimeDeps,
  query: { agent: string; cwd: string; cursor?: string | undefined },
  signal: AbortSignal,
): Promise<{ sessions: AgentSession[]; nextCursor: string | null }> {
  const identity = identityOf(deps, { sessionId: "", agent: query.agent, cwd: query.cwd });
  const plan = transientPlan(deps, query.agent, identity.cwd);
  await assertFolders(deps, identity);
  const real = await fs.realpath(identity.cwd);
  return withTransientAdapter(deps, plan, signal, async ({ adapter, budget }) => {
    if (!adapter.offersSession("list")) {
      throw new AppError("adapter_incompatible", "the agent does not list its sessions", {
        details: { agent: query.agent, capability: "sessionCapabilities.list" },
      });
    }
    const params = query.cursor === undefined ? {} : { cursor: query.cursor };
    const answer = await adapter
      .request("session/list", params, { signal, ...patienceOf(budget) })
      .catch((error: unknown) => {
        throw error instanceof RpcError ? refused(error) : error;
      });
    const { sessions, nextCursor } = isJsonObject(answer) ? answer : {};
    const rows = Array.isArray(sessions) ? sessions.flatMap(agentSessionOf) : [];
    const here: AgentSession[] = [];
    for (const row of rows) {
      if ((await fs.realpath(row.cwd).catch(() => row.cwd)) === real) here.push(row);
    }
    return {
      sessions: here,
      nextCursor: typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : null,
    };
  });
}

/** A row that names no session is left out; what else is odd in it is null. */
function agentSessionOf(row: JsonValue): AgentSession[] {
  if (!isJsonObject(row)) return [];
  const { sessionId, cwd, title, updatedAt } = row;
  if (typeof sessionId !== "string" || sessionId === "" || typeof cwd !== "string") return [];
  const timeMs = typeof updatedAt === "string" ? Date.parse(updatedAt) : Number.NaN;
  return [
    {
      agentSessionId: sessionId,
      cwd,
      title: typeof title === "string" ? title : null,
      updatedAt: Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString(),
    },
  ];
}

/**
 * Has the agent log in by one of its own methods.
 *
 * @throws AppError `bad_request` for a method that it does not have, or that needs a terminal;
 *   `auth_required` when the agent refuses; or as a start does
 */
export async function authenticateAgent(
  deps: RuntimeDeps,
  { agent, methodId }: { agent: string; methodId: string },
  signal: AbortSignal,
): Promise<void> {
  const plan = transientPlan(deps, agent, deps.defaultWorkspace);
  await withTransientAdapter(deps, plan, signal, async ({ adapter, budget }) => {
    const methods = authMethodsOf(adapter);
    const method = methods.find(({ id }) => id === methodId);
    const refuse = (message: string) =>
      new AppError("bad_request", message, {
        details: { field: "methodId", known: methods.map(({ id }) => id ?? null) },
      });
    if (!method) throw refuse(`the agent has no method ${methodId} to authenticate with`);
    if (method.type === "terminal") {
      throw refuse(`${methodId} needs a terminal: log in to the agent on the server itself`);
    }
    try {
      await adapter.request("authenticate", { methodId }, { signal, ...patienceOf(budget) });
    } catch (error) {
      throw error instanceof RpcError ? refused(error) : error;
    }
  });
}

function refused({ method, rpcCode, rpcMessage, rpcData }: RpcError): AppError {
  const code = method === "authenticate" ? "auth_required" : "adapter_protocol_error";
  return new AppError(code, `the agent refused ${method}: ${rpcMessage}`, {
    details: { method, rpcCode, rpcMessage, rpcData },
  });
}
