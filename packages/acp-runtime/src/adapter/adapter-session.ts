/**
 * The adapter's side of a session: a new one, or the one it had, brought back by the gentlest
 * means that works.
 */
import {
  type AcpLimits,
  AppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RestoreMode,
} from "@signalbox/protocol";
import type { CatalogueAgent } from "../agents/catalogue.ts";
import { setupFields } from "../agents/instructions.ts";
import { RpcError } from "../wire/rpc-error.ts";
import type { Adapter } from "./adapter.ts";
import { patienceOf, type StartBudget, startFailure } from "./adapter-start.ts";

export interface SessionSetup {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly JsonValue[];
}

/** What the adapter reported of its session. */
export interface ReportedSession {
  /** The agent lists models in the older way, beside its options. */
  readonly hasModels?: boolean;
  readonly configOptions: JsonObject[] | null;
  readonly modes: JsonObject | null;
}

export interface RestoredSession extends ReportedSession {
  readonly mode: RestoreMode;
  /** Why a gentler means was not used. */
  readonly reason: string | null;
}

export interface SetupContext {
  readonly adapter: Adapter;
  readonly setup: SessionSetup;
  readonly budget: StartBudget;
  readonly signal: AbortSignal;
  readonly limits: AcpLimits;
  readonly agent: CatalogueAgent;
  readonly instructions: string | null;
  /** Called with the answer to `session/new`, before anything that follows it is read. */
  readonly onAnswer?: () => void;
}

/**
 * @throws AppError as {@link startFailure} says; the adapter is stopped then
 */
export async function newAgentSession(context: SetupContext): Promise<ReportedSession> {
  const { adapter } = context;
  try {
    const { onAnswer = () => undefined } = context;
    const options = { ...patience(context), onAnswer };
    const answer = await adapter.request("session/new", setupParams(context), options);
    const sessionId = isJsonObject(answer) ? answer.sessionId : undefined;
    if (typeof sessionId !== "string" || sessionId === "") {
      throw new RpcError("session/new", {
        code: -32603,
        message: "the answer has no sessionId",
        data: null,
      });
    }
    adapter.agentSessionId = sessionId;
    return reportedBy(answer);
  } catch (error) {
    throw await startFailure(adapter, "session/new", error);
  }
}

/** What was tried to bring a session back, over all the adapters it took. */
export interface RestoreAttempts {
  readonly tried: Set<RestoreMode>;
  /** Why each was not the one, in words. */
  readonly refusals: string[];
}

/** A tier cost the adapter its life, or its answer: the next one needs another adapter. */
export class AdapterLostError extends Error {
  override readonly name = "AdapterLostError";
}

/**
 * Resume, else load with its replay suppressed, else a new session. A tier that fails falls to
 * the next, whatever the failure was.
 *
 * @throws AdapterLostError when the next tier needs another adapter; `attempts` tells it where to go on
 * @throws AppError `restore_failed`, or as {@link startFailure} says, when the last tier failed too
 */
export async function restoreAgentSession(
  context: SetupContext,
  agentSessionId: string,
  { tried, refusals }: RestoreAttempts,
): Promise<RestoredSession> {
  const { adapter } = context;
  const attempt = async (
    mode: RestoreMode,
    method: string,
    run: (params: JsonObject) => Promise<JsonValue>,
  ): Promise<RestoredSession | null> => {
    tried.add(mode);
    try {
      const answer = await run({ sessionId: agentSessionId, ...setupParams(context) });
      adapter.agentSessionId = agentSessionId;
      return { ...reportedBy(answer), mode, reason: refusals.join("; ") || null };
    } catch (error) {
      if (error instanceof RpcError) {
        refusals.push(`${method}: ${error.rpcMessage} (${error.rpcCode})`);
        return null;
      }
      const failure = await startFailure(adapter, method, error);
      if (context.signal.aborted || !(failure instanceof AppError)) throw failure;
      refusals.push(`${method}: ${failure.message}`);
      throw new AdapterLostError(failure.message, { cause: failure });
    }
  };
  if (adapter.offersSession("resume") && !tried.has("resumed")) {
    const resumed = await attempt("resumed", "session/resume", (params) =>
      call(context, "session/resume", params),
    );
    if (resumed) return resumed;
  }
  if (adapter.agentCapabilities.loadSession === true && !tried.has("loaded")) {
    const loaded = await attempt("loaded", "session/load", (params) =>
      adapter.requestWithReplay("session/load", params, patience(context), () => undefined),
    );
    if (loaded) return loaded;
  }
  const reported = await newAgentSession(context).catch((error: unknown) => {
    throw restoreFailure(error, refusals);
  });
  const reason = refusals.join("; ") || "the agent offers neither resume nor load";
  return { ...reported, mode: "continued", reason };
}

/** The agent's own words for why it has the session no more, with those of the gentler tiers. */
function restoreFailure(error: unknown, refusals: readonly string[]): unknown {
  if (!(error instanceof AppError) || error.code !== "adapter_protocol_error") return error;
  return new AppError("restore_failed", `the session could not be restored: ${error.message}`, {
    details: { ...error.details, refusals },
    cause: error,
  });
}

/** A setting of the session that the restored adapter would not take. */
export interface RefusedSetting {
  readonly configId: string;
  readonly value: JsonValue;
  readonly reason: string;
}

/**
 * Sets the options and the mode that differ from what the session had.
 *
 * @returns the collection as the adapter last reported it, and what it refused
 */
export async function reapplyConfig(
  context: SetupContext,
  had: ReportedSession,
  reported: ReportedSession,
): Promise<{ reported: ReportedSession; refused: RefusedSetting[] }> {
  const refused: RefusedSetting[] = [];
  let current = reported.configOptions;
  for (const option of had.configOptions ?? []) {
    const { id: configId, currentValue: value } = option;
    if (typeof configId !== "string" || value === undefined) continue;
    const now = current?.find((candidate) => candidate.id === configId);
    if (now?.currentValue === value) continue;
    if (!now) {
      refused.push({ configId, value, reason: "the agent no longer offers this option" });
      continue;
    }
    const outcome = await setConfigOption(context, configId, value);
    if (typeof outcome === "string") refused.push({ configId, value, reason: outcome });
    else current = outcome ?? current;
  }
  const modes = await reapplyMode(context, had, { ...reported, configOptions: current }, refused);
  return { reported: { configOptions: current, modes }, refused };
}

/**
 * Sets the model that the configuration names, in a session that is new.
 *
 * @throws AppError `config_rejected` when the agent has no such model, or none to choose
 */
export async function selectModel(
  context: SetupContext,
  reported: ReportedSession,
): Promise<ReportedSession> {
  const { adapter, agent } = context;
  const { model } = agent;
  if (model === null) return reported;
  const refuse = async (reason: string) => {
    await adapter.stop({ graceMs: 0 });
    return new AppError(
      "config_rejected",
      `the agent does not take the model ${model}: ${reason}`,
      {
        details: { field: `agents.${agent.id}.model`, model, reason },
      },
    );
  };
  const option = reported.configOptions?.find(
    ({ id, category }) => id === "model" || category === "model",
  );
  if (option && typeof option.id === "string") {
    if (option.currentValue === model) return reported;
    const outcome = await setConfigOption(context, option.id, model);
    if (typeof outcome === "string") throw await refuse(outcome);
    return { ...reported, configOptions: outcome ?? reported.configOptions };
  }
  if (!reported.hasModels) throw await refuse("it offers no models");
  const params = { sessionId: adapter.agentSessionId, modelId: model };
  try {
    await call(context, "session/set_model", params);
    return reported;
  } catch (error) {
    if (error instanceof RpcError) throw await refuse(`${error.rpcMessage} (${error.rpcCode})`);
    throw await startFailure(adapter, "session/set_model", error);
  }
}

async function reapplyMode(
  context: SetupContext,
  had: ReportedSession,
  reported: ReportedSession,
  refused: RefusedSetting[],
): Promise<JsonObject | null> {
  const wanted = had.modes?.currentModeId;
  const isOption = reported.configOptions?.some((option) => option.id === "mode") ?? false;
  if (isOption || typeof wanted !== "string" || !reported.modes) return reported.modes;
  if (reported.modes.currentModeId === wanted) return reported.modes;
  const params = { sessionId: context.adapter.agentSessionId, modeId: wanted };
  try {
    await call(context, "session/set_mode", params);
    return { ...reported.modes, currentModeId: wanted };
  } catch (error) {
    if (!(error instanceof RpcError))
      throw await startFailure(context.adapter, "session/set_mode", error);
    refused.push({ configId: "mode", value: wanted, reason: error.rpcMessage });
    return reported.modes;
  }
}

/** @returns the new collection, null when the answer has none, or the refusal in words */
async function setConfigOption(
  context: SetupContext,
  configId: string,
  value: JsonValue,
): Promise<JsonObject[] | null | string> {
  try {
    const answer = await call(
      context,
      "session/set_config_option",
      configParams(context.adapter.agentSessionId, configId, value),
    );
    return reportedBy(answer).configOptions;
  } catch (error) {
    if (error instanceof RpcError) return `${error.rpcMessage} (${error.rpcCode})`;
    throw await startFailure(context.adapter, "session/set_config_option", error);
  }
}

/** ACP wants booleans to name their type. */
export function configParams(sessionId: string, configId: string, value: JsonValue): JsonObject {
  return typeof value === "boolean"
    ? { sessionId, configId, type: "boolean", value }
    : { sessionId, configId, value };
}

export function reportedBy(answer: JsonValue): ReportedSession {
  if (!isJsonObject(answer)) return { configOptions: null, modes: null };
  const { configOptions, modes } = answer;
  return {
    configOptions: Array.isArray(configOptions) ? configOptions.filter(isJsonObject) : null,
    modes: isJsonObject(modes) ? modes : null,
    hasModels: isJsonObject(answer.models),
  };
}

export function startBudget(limits: AcpLimits, isPackageRun: boolean): StartBudget {
  return isPackageRun
    ? {
        limit: "limits.acp.packageStartTimeoutMs",
        maxMs: limits.packageStartTimeoutMs,
        startedAtMs: Date.now(),
      }
    : {
        limit: "limits.acp.startTimeoutMs",
        maxMs: limits.startTimeoutMs,
        startedAtMs: Date.now(),
      };
}

export function setupParams({ adapter, agent, instructions, setup }: SetupContext): JsonObject {
  const params: JsonObject = {
    cwd: setup.cwd,
    mcpServers: [...setup.mcpServers],
    ...setupFields(adapter, agent, instructions),
  };
  if (setup.additionalDirectories.length > 0 && adapter.offersSession("additionalDirectories")) {
    params.additionalDirectories = [...setup.additionalDirectories];
  }
  return params;
}

function call(context: SetupContext, method: string, params: JsonObject): Promise<JsonValue> {
  return context.adapter.request(method, params, patience(context));
}

function patience({ budget, signal }: SetupContext) {
  return { signal, ...patienceOf(budget) };
}
