import type { Actor, DurableEvent, JsonObject, PermissionOption } from "@signalbox/protocol";
import { asObject, asObjects, asText } from "../content/json-read.ts";
import type { PermissionRow } from "./transcript-rows.ts";

export function asked(row: PermissionRow, event: DurableEvent): PermissionRow {
  return {
    ...row,
    promptId: event.promptId,
    timestamp: event.timestamp,
    toolCall: asObject(event.toolCall) ?? {},
    options: asObjects(event.options).filter(isOption),
    digest: asText(event.digest) ?? "",
  };
}

export function answered(row: PermissionRow, event: DurableEvent): PermissionRow {
  return {
    ...row,
    response: {
      status: asText(event.status) ?? "not_pending",
      reason: asText(event.reason),
      outcome: asObject(event.outcome),
      resolvedBy: asActor(event.resolvedBy),
      timestamp: event.timestamp,
    },
  };
}

function isOption(value: JsonObject): value is PermissionOption {
  return (
    typeof value.optionId === "string" &&
    typeof value.name === "string" &&
    typeof value.kind === "string"
  );
}

const ACTOR_KINDS = ["token", "login", "policy", "system"] as const;

export function asActor(value: DurableEvent[string] | undefined): Actor | null {
  const actor = asObject(value);
  const kind = ACTOR_KINDS.find((known) => known === actor?.kind);
  const name = asText(actor?.name);
  return kind && name !== null ? { kind, name } : null;
}
