import { isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";
import { ScriptedFailure } from "./scripted-failure.ts";
import type { ScriptedProcess } from "./scripted-process.ts";

/** What a well-behaved agent answers to everything but prompts. */
export async function answerUsually(
  agent: ScriptedProcess,
  method: string,
  params: JsonObject,
): Promise<JsonValue> {
  const { options } = agent.memory;
  switch (method) {
    case "initialize":
      return {
        protocolVersion: 1,
        agentCapabilities: options.capabilities ?? {},
        agentInfo: { name: "scripted", version: "1.0.0" },
        authMethods: [],
        ...options.initialize,
      };
    case "authenticate":
    case "session/close":
      return {};
    case "session/new":
      return newSession(agent, params);
    case "session/load":
      return loadSession(agent, params);
    case "session/resume":
      if (options.failResume !== undefined) throw options.failResume;
      knownSession(agent, params);
      return sessionState(agent);
    case "session/list":
      return listSessions(agent, params);
    case "session/set_config_option":
      return setConfigOption(agent, params);
    case "session/set_mode":
      agent.memory.modes = { ...agent.memory.modes, currentModeId: params.modeId ?? null };
      return {};
    default:
      throw new ScriptedFailure(-32601, "Method not found");
  }
}

async function newSession(agent: ScriptedProcess, params: JsonObject): Promise<JsonValue> {
  const { options, sessions } = agent.memory;
  if (options.failNew !== undefined) throw options.failNew;
  const sessionId = `agent-session-${sessions.size + 1}`;
  sessions.set(sessionId, {
    cwd: String(params.cwd),
    transcript: [],
    title: null,
    updatedAt: null,
  });
  await options.onNew?.(agent.voice(sessionId));
  return { sessionId, ...sessionState(agent) };
}

async function loadSession(agent: ScriptedProcess, params: JsonObject): Promise<JsonValue> {
  const { options } = agent.memory;
  if (options.failLoad !== undefined) throw options.failLoad;
  const { sessionId, transcript } = knownSession(agent, params);
  if (options.onLoad === undefined) {
    for (const update of transcript) await agent.replay(sessionId, update);
  } else {
    await options.onLoad(agent.voice(sessionId));
  }
  return sessionState(agent);
}

function knownSession(
  agent: ScriptedProcess,
  params: JsonObject,
): { sessionId: string; transcript: readonly JsonObject[] } {
  const sessionId = String(params.sessionId);
  const session = agent.memory.sessions.get(sessionId);
  if (session === undefined) {
    throw new ScriptedFailure(-32002, "Session not found", { sessionId });
  }
  return { sessionId, transcript: [...session.transcript] };
}

function sessionState(agent: ScriptedProcess): JsonObject {
  const { options, configOptions, modes } = agent.memory;
  return {
    ...(configOptions.length === 0 ? {} : { configOptions: structuredClone(configOptions) }),
    ...(modes === undefined ? {} : { modes }),
    ...options.session,
  };
}

function listSessions(agent: ScriptedProcess, params: JsonObject): JsonValue {
  const sessions: JsonObject[] = [];
  for (const [sessionId, { cwd, title, updatedAt }] of agent.memory.sessions) {
    if (params.cwd !== undefined && params.cwd !== cwd) continue;
    sessions.push({ sessionId, cwd, title, updatedAt });
  }
  return { sessions };
}

function setConfigOption(agent: ScriptedProcess, params: JsonObject): JsonValue {
  const { configOptions } = agent.memory;
  const option = configOptions.find(({ id }) => id === params.configId);
  const { value } = params;
  if (option === undefined || value === undefined || !accepts(option, value)) {
    throw new ScriptedFailure(-32602, "Unknown option or value");
  }
  option.currentValue = value;
  return { configOptions: structuredClone(configOptions) };
}

/** A select takes the values it offers, grouped or not; anything else takes a boolean. */
function accepts(option: JsonObject, value: JsonValue): boolean {
  if (!Array.isArray(option.options)) return typeof value === "boolean";
  return option.options.some((entry) => {
    if (!isJsonObject(entry)) return false;
    return entry.value === value || (Array.isArray(entry.options) && accepts(entry, value));
  });
}
