import type { StoredError } from "./errors.ts";
import type { Actor } from "./identity.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import type { StopReason } from "./prompt-state.ts";

/** Event kinds of our own; every other `type` is an ACP `sessionUpdate` value or a permission event. */
export const OWN_EVENT = {
  promptQueued: "_signalbox/prompt_queued",
  turnEnded: "_signalbox/turn_ended",
  restored: "_signalbox/restored",
  adapterExited: "_signalbox/adapter_exited",
  configRefused: "_signalbox/config_refused",
  permissionUnsatisfied: "_signalbox/permission_unsatisfied",
  questionRequest: "_signalbox/question_request",
  questionResponse: "_signalbox/question_response",
  questionCompleted: "_signalbox/question_completed",
  questionUnsatisfied: "_signalbox/question_unsatisfied",
  stderr: "_signalbox/stderr",
} as const;

const REQUEST_EVENTS: ReadonlySet<string> = new Set(["permission_request", "permission_response"]);

/**
 * The `type` under which an agent's update is stored: its kind, unless that is one that only we
 * may say. Then it is marked as the agent's, so that nobody takes it for our word.
 */
export function typeOfAgentUpdate(kind: string): string {
  return kind.startsWith("_signalbox/") || REQUEST_EVENTS.has(kind) ? `agent:${kind}` : kind;
}

/** `_meta` keys of our own. */
export const META = {
  partial: "signalbox/partial",
  native: "signalbox/native",
  imported: "signalbox/imported",
  /** The stored text of an event that could not be read. */
  unreadable: "signalbox/unreadable",
} as const;

/** In history for good: it has a sequence and was emitted after its transaction committed. */
export interface DurableEvent {
  durability: "durable";
  sessionId: string;
  sequence: number;
  /** RFC 3339 UTC with milliseconds. */
  timestamp: string;
  /** The turn it belongs to; null outside any turn. */
  promptId: string | null;
  type: string;
  [field: string]: JsonValue;
}

/** A live delta of the open message or thought, or a stderr chunk: never stored, never sequenced. */
export interface EphemeralEvent {
  durability: "ephemeral";
  sessionId: string;
  /** The last committed sequence before this delta. */
  afterSequence: number;
  promptId: string | null;
  type: "agent_message_chunk" | "agent_thought_chunk" | "_signalbox/stderr";
  [field: string]: JsonValue;
}

export type SessionEvent = DurableEvent | EphemeralEvent;

/** Top-level names of an event that are ours, whatever a native update calls its fields. */
export const ENVELOPE_NAMES: ReadonlySet<string> = new Set([
  "durability",
  "sessionId",
  "sequence",
  "timestamp",
  "promptId",
  "type",
]);

/**
 * Lays an event's own fields beside its envelope. Envelope names win: a native field of the same
 * name is kept under `_meta["signalbox/native"]`.
 */
export function composeEvent(
  envelope: Pick<DurableEvent, "sessionId" | "sequence" | "timestamp" | "promptId" | "type">,
  fields: JsonObject,
): DurableEvent {
  const event: DurableEvent = { durability: "durable", ...envelope };
  const shadowed: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "sessionUpdate") continue;
    if (ENVELOPE_NAMES.has(name)) shadowed[name] = value;
    else event[name] = value;
  }
  if (Object.keys(shadowed).length > 0) {
    event._meta = { ...(isJsonObject(event._meta) ? event._meta : {}), [META.native]: shadowed };
  }
  return event;
}

/** `_signalbox/turn_ended`: the last event of every turn. */
export interface TurnEndedFields {
  stopReason?: StopReason;
  error?: StoredError;
  /** Tool calls whose last status was neither completed nor failed. */
  openToolCalls: string[];
}

export type RestoreMode = "resumed" | "loaded" | "continued";

/** How a permission request or a question ended, as far as a late answer can be told. */
export type NotPendingReason =
  | "already_resolved"
  | "prompt_cancelled"
  | "adapter_exited"
  | "session_deleted"
  | "session_unloaded"
  | "turn_ended"
  | "server_stopped"
  | "server_restarted"
  | "request_not_found";

export type RespondResult =
  | { status: "accepted" }
  | { status: "not_pending"; reason: NotPendingReason; resolvedBy?: Actor };
