import type { DurableEvent } from "@signalbox/protocol";
import { asObject, asText } from "../content/json-read.ts";
import { asActor } from "./permission-row.ts";
import type { QuestionRow } from "./transcript-rows.ts";

export function questionAsked(row: QuestionRow, event: DurableEvent): QuestionRow {
  return {
    ...row,
    promptId: event.promptId,
    timestamp: event.timestamp,
    message: asText(event.message) ?? "",
    mode: event.mode === "url" ? "url" : "form",
    schema: asObject(event.schema),
    url: asText(event.url),
  };
}

export function questionEnded(row: QuestionRow, event: DurableEvent): QuestionRow {
  return {
    ...row,
    response: {
      status: asText(event.status) ?? "not_pending",
      action: asText(event.action) ?? "cancel",
      reason: asText(event.reason),
      resolvedBy: asActor(event.resolvedBy),
    },
  };
}
