import { AppError, type PermissionPolicy, parseSessionId } from "@signalbox/protocol";
import type { Failure } from "../../lib/failure.ts";

export interface NewSession {
  agent: string;
  sessionId: string;
  cwd: string;
  permissionPolicy: PermissionPolicy;
  additionalInstructions: string;
}

export type FieldName = keyof NewSession;
export type FieldErrors = Partial<Record<FieldName, string>>;

const FIELDS: readonly FieldName[] = [
  "agent",
  "sessionId",
  "cwd",
  "permissionPolicy",
  "additionalInstructions",
];

/** Codes that are about one field even where the server names none. */
const FIELD_OF_CODE: Partial<Record<NonNullable<Failure["appCode"]>, FieldName>> = {
  invalid_session_id: "sessionId",
  session_conflict: "sessionId",
  sessions_limit: "sessionId",
  invalid_cwd: "cwd",
  cwd_missing: "cwd",
  unknown_agent: "agent",
};

/** What can be said before the server is asked. */
export function checkNewSession(form: NewSession): FieldErrors {
  const errors: FieldErrors = {};
  if (form.agent === "") errors.agent = "Choose an agent.";
  try {
    parseSessionId(form.sessionId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    errors.sessionId = error.message;
  }
  return errors;
}

/** The field a refusal belongs to; null when it is about the whole. */
export function fieldOfFailure(failure: Failure): FieldName | null {
  const named = FIELDS.find((field) => field === failure.field);
  if (named !== undefined) return named;
  return (failure.appCode === null ? undefined : FIELD_OF_CODE[failure.appCode]) ?? null;
}

/** What is sent: an empty field is an omitted one. */
export function openInput(form: NewSession) {
  const cwd = form.cwd.trim();
  return {
    agent: form.agent,
    sessionId: form.sessionId,
    permissionPolicy: form.permissionPolicy,
    ...(cwd === "" ? {} : { cwd }),
    ...(form.additionalInstructions.trim() === ""
      ? {}
      : { additionalInstructions: form.additionalInstructions }),
  };
}
