import { AppError, isJsonObject, type JsonObject } from "@signalbox/protocol";
import { exitInWords, type LaunchAgent, type LaunchSpec } from "../wire/agent-transport.ts";
import { RPC_CODE, RpcError, WireClosedError } from "../wire/rpc-error.ts";
import { Adapter, type AdapterOptions } from "./adapter.ts";

const PROTOCOL_VERSION = 1;

/** What this host can do for an agent. Files and terminals are the agent's own business here. */
const CLIENT_CAPABILITIES = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  session: { configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
};

/** The time that is left of a budget, whichever phase spends it. */
export interface StartBudget {
  readonly limit: string;
  readonly maxMs: number;
  readonly startedAtMs: number;
}

/** The rest of the budget, for one request. */
export function patienceOf(budget: StartBudget) {
  return {
    timeoutMs: Math.max(1, budget.startedAtMs + budget.maxMs - Date.now()),
    timeoutLimit: budget.limit,
    timeoutMaxMs: budget.maxMs,
  };
}

/**
 * Starts a process and negotiates with it. A failure leaves no process.
 *
 * @throws AppError `adapter_spawn_failed`, `adapter_timeout`, `adapter_protocol_error`,
 *   `adapter_incompatible` or `auth_required`
 */
export async function startAdapter(
  deps: {
    launch: LaunchAgent;
    options: AdapterOptions;
    version: string;
    /** Called as soon as there is a process. */
    onLaunched?: (adapter: Adapter) => void;
  },
  spec: LaunchSpec,
  budget: StartBudget,
  signal: AbortSignal,
): Promise<Adapter> {
  const adapter = new Adapter(await deps.launch(spec, signal), deps.options);
  deps.onLaunched?.(adapter);
  try {
    const answer = await adapter.request(
      "initialize",
      {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: CLIENT_CAPABILITIES,
        clientInfo: { name: "signalbox", title: "Signalbox", version: deps.version },
      },
      { signal, ...patienceOf(budget) },
    );
    adapter.initialized = isJsonObject(answer) ? answer : {};
    assertVersion(adapter.initialized);
    return adapter;
  } catch (error) {
    throw await startFailure(adapter, "initialize", error);
  }
}

function assertVersion(initialized: JsonObject): void {
  const { protocolVersion } = initialized;
  if (protocolVersion === PROTOCOL_VERSION) return;
  throw new AppError(
    "adapter_incompatible",
    `the agent speaks ACP version ${JSON.stringify(protocolVersion ?? null)}; this server speaks ${PROTOCOL_VERSION}`,
    { details: { offered: PROTOCOL_VERSION, answered: protocolVersion ?? null } },
  );
}

/** Stops the adapter and says why its start failed. An abort passes through as it is. */
export async function startFailure(
  adapter: Adapter,
  phase: string,
  error: unknown,
): Promise<unknown> {
  const hadEnded = adapter.hasEnded || error instanceof WireClosedError;
  const end = await adapter.stop({ graceMs: 0 });
  if (error instanceof WireClosedError && hadEnded) {
    const { closeReason } = adapter.wire;
    if (closeReason instanceof AppError) return closeReason;
    return new AppError(
      "adapter_spawn_failed",
      `the agent ended during ${phase} (${exitInWords(end)})`,
      { details: { phase, exitCode: end.code, signal: end.signal, stderrTail: end.stderrTail } },
    );
  }
  return error instanceof RpcError ? refusal(error, end.stderrTail, authMethodsOf(adapter)) : error;
}

export function authMethodsOf({ initialized }: Adapter): JsonObject[] {
  const { authMethods } = initialized;
  return Array.isArray(authMethods) ? authMethods.filter(isJsonObject) : [];
}

/** An agent's JSON-RPC error during a start. */
function refusal(error: RpcError, stderrTail: string, authMethods: JsonObject[]): AppError {
  const { method, rpcCode, rpcMessage, rpcData } = error;
  const details = { method, rpcCode, rpcMessage, rpcData, phase: method, stderrTail };
  return rpcCode === RPC_CODE.authRequired
    ? new AppError("auth_required", `the agent wants to be authenticated: ${rpcMessage}`, {
        details: { ...details, authMethods },
      })
    : new AppError("adapter_protocol_error", `the agent refused ${method}: ${rpcMessage}`, {
        details,
      });
}
