import { isJsonObject, type JsonObject, type JsonValue, readForm } from "@signalbox/protocol";
import type { Redaction } from "../output/redaction.ts";

/** What the agent hears when nobody answers. */
export const QUESTION_CANCELLED: JsonValue = { action: "cancel" };

interface AskedOf {
  readonly message: string;
  readonly toolCallId: string | null;
  readonly meta: JsonObject | null;
}

/** What an agent's `elicitation/create` asks, without its own ids. */
export type QuestionAsk = AskedOf &
  (
    | { readonly mode: "form"; readonly schema: JsonObject }
    | { readonly mode: "url"; readonly url: string; readonly elicitationId: string }
  );

/** @returns why the request cannot be shown and answered, in words for the agent, or what it asks */
export function readQuestionAsk(
  params: JsonValue | undefined,
  redaction: Redaction,
): QuestionAsk | string {
  if (!isJsonObject(params)) return "params are missing";
  const { message, mode, url, elicitationId, requestedSchema } = params;
  if (typeof message !== "string") return "message is missing";
  if (!isOfSession(params) && !isOfRequest(params)) return "sessionId is missing";
  const asked = {
    message: redaction.text(message),
    toolCallId: typeof params.toolCallId === "string" ? params.toolCallId : null,
    meta: isJsonObject(params._meta) ? redaction.value(params._meta) : null,
  };
  if (mode === "form") {
    if (!isJsonObject(requestedSchema)) return "requestedSchema is missing";
    if (readForm(requestedSchema) === null) return "requestedSchema is not a flat form";
    return { ...asked, mode, schema: redaction.value(requestedSchema) };
  }
  if (mode === "url") {
    if (typeof url !== "string" || !URL.canParse(url)) return "url is not a URL";
    if (typeof elicitationId !== "string") return "elicitationId is missing";
    return { ...asked, mode, url: redaction.text(url), elicitationId };
  }
  return "mode is none of those offered: form, url";
}

function isOfSession(params: JsonObject): boolean {
  return typeof params.sessionId === "string";
}

function isOfRequest(params: JsonObject): boolean {
  return params.requestId !== undefined;
}

/** Asked on behalf of a request, as during a start, and not of any session. */
export function isOutsideSessions(params: JsonValue | undefined): boolean {
  return !isJsonObject(params) || !isOfSession(params);
}

/** The fields of a `_signalbox/question_request` event. */
export function questionFields(requestId: string, ask: QuestionAsk): JsonObject {
  const fields: JsonObject = { requestId, message: ask.message, mode: ask.mode };
  if (ask.mode === "form") fields.schema = ask.schema;
  else fields.url = ask.url;
  if (ask.toolCallId !== null) fields.toolCallId = ask.toolCallId;
  if (ask.meta) fields._meta = ask.meta;
  return fields;
}
