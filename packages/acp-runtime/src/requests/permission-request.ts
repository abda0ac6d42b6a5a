import { createHash } from "node:crypto";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PermissionOption,
  type PermissionPolicy,
} from "@signalbox/protocol";
import type { Redaction } from "../output/redaction.ts";

/** An adapter's request, read as openly as it can be: unknown kinds and fields are kept. */
export interface PermissionAsk {
  readonly toolCall: JsonObject;
  readonly toolCallId: string | null;
  readonly options: PermissionOption[];
  readonly meta: JsonObject | null;
  /** Of the tool call and the options: what an answer was given to. */
  readonly digest: string;
}

/** @returns null when the request has no options that could be shown and answered */
export function readPermissionAsk(
  params: JsonValue | undefined,
  redaction: Redaction,
): PermissionAsk | null {
  if (!isJsonObject(params) || !Array.isArray(params.options)) return null;
  const given = params.options.filter(isOption);
  if (given.length !== params.options.length) return null;
  // An option's id goes back to the agent, so it stays as it came.
  const options = given.map((option) => ({
    ...redaction.value(option),
    optionId: option.optionId,
  }));
  const toolCall = redaction.value(isJsonObject(params.toolCall) ? params.toolCall : {});
  const { toolCallId } = toolCall;
  return {
    toolCall,
    toolCallId: typeof toolCallId === "string" ? toolCallId : null,
    options,
    meta: isJsonObject(params._meta) ? redaction.value(params._meta) : null,
    digest: createHash("sha256").update(canonicalJson({ toolCall, options })).digest("hex"),
  };
}

function isOption(value: JsonValue): value is PermissionOption {
  return (
    isJsonObject(value) &&
    typeof value.optionId === "string" &&
    typeof value.name === "string" &&
    typeof value.kind === "string"
  );
}

const PREFERRED_KINDS: Record<Exclude<PermissionPolicy, "ask">, readonly string[]> = {
  allow_all: ["allow_once", "allow_always"],
  reject_all: ["reject_once", "reject_always"],
};

/** The option a policy takes: never one that was not offered, never one of an unknown kind. */
export function policyChoice(
  policy: Exclude<PermissionPolicy, "ask">,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  for (const kind of PREFERRED_KINDS[policy]) {
    const found = options.find((option) => option.kind === kind);
    if (found) return found;
  }
  return undefined;
}

/** The fields of a `permission_request` event. */
export function requestFields(requestId: string, ask: PermissionAsk): JsonObject {
  const fields: JsonObject = {
    requestId,
    options: ask.options,
    toolCall: ask.toolCall,
    digest: ask.digest,
  };
  if (ask.meta) fields._meta = ask.meta;
  return fields;
}
