/** Reads an agent's updates into the session's log: messages merge, everything else is an event. */
import type { SessionFold } from "@signalbox/db";
import { isJsonObject, type JsonObject, typeOfAgentUpdate } from "@signalbox/protocol";
import type { SessionCost } from "../turns/turn-usage.ts";
import type { WireUpdate } from "../wire/wire.ts";
import { spokenChunk } from "./open-message.ts";
import type { Redaction } from "./redaction.ts";
import type { SessionLog } from "./session-log.ts";

const CHUNK_TYPES: ReadonlySet<string> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
]);

export interface IntakeContext {
  readonly log: Pick<SessionLog, "say" | "record">;
  readonly redaction: Redaction;
  readonly cost: Pick<SessionCost, "take">;
}

/** @returns the update as it may be shown: by its public ids, without secrets */
export function takeUpdate(
  context: IntakeContext,
  update: WireUpdate,
  promptId: string | null,
): JsonObject {
  const raw = context.redaction.json(update.raw);
  const value = raw === update.raw ? update.update : parseObject(raw);
  const type = typeOfAgentUpdate(String(value.sessionUpdate));
  const chunk = CHUNK_TYPES.has(type) ? spokenChunk(value) : null;
  if (chunk) context.log.say(promptId, chunk, context.redaction);
  else context.log.record({ type, promptId, fields: raw }, foldWithCost(context, value));
  return value;
}

function parseObject(source: string): JsonObject {
  const value: unknown = JSON.parse(source);
  return isJsonObject(value) ? value : {};
}

function foldWithCost({ cost }: IntakeContext, update: JsonObject): SessionFold | undefined {
  const fold = foldOf(update);
  const addedCost = cost.take(update);
  return addedCost ? { ...fold, addedCost } : fold;
}

/** What an update changes in the session row, in the transaction of its event. */
export function foldOf(update: JsonObject): SessionFold | undefined {
  switch (update.sessionUpdate) {
    case "session_info_update":
      return infoFold(update);
    case "usage_update": {
      const { sessionUpdate: _type, ...usage } = update;
      return { usage: JSON.stringify(usage) };
    }
    case "config_option_update":
      return Array.isArray(update.configOptions)
        ? { configOptions: JSON.stringify(update.configOptions) }
        : undefined;
    case "available_commands_update":
      return Array.isArray(update.availableCommands)
        ? { availableCommands: JSON.stringify(update.availableCommands) }
        : undefined;
    case "current_mode_update": {
      // Older agents say `modeId`.
      const modeId = update.currentModeId ?? update.modeId;
      return typeof modeId === "string" ? { currentModeId: modeId } : undefined;
    }
    default:
      return undefined;
  }
}

function infoFold(update: JsonObject): SessionFold | undefined {
  const fold: SessionFold = {};
  if (typeof update.title === "string" || update.title === null) fold.title = update.title;
  if (isJsonObject(update._meta)) fold.metadata = JSON.stringify(update._meta);
  return Object.keys(fold).length > 0 ? fold : undefined;
}
