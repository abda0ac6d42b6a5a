/** Rows of the audit log for acts that have no transaction of their own. */
import { appendAuditInWrite } from "@signalbox/db";
import type { JsonObject } from "@signalbox/protocol";
import type { Caller } from "./queries.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";

/** A list of acts is no place for long texts. */
const MAX_VALUE_CHARACTERS = 200;

export function shownValue(value: string | boolean): string | boolean {
  return typeof value === "string" ? value.slice(0, MAX_VALUE_CHARACTERS) : value;
}

/** An act that changes no row of its own, told once it is done. */
export function auditAct(
  { db }: RuntimeDeps,
  act: {
    action: string;
    sessionId: string;
    target: string | null;
    caller: Caller;
    outcome?: string;
    details?: JsonObject;
  },
): Promise<void> {
  const { caller, outcome = "ok", details = {}, ...rest } = act;
  const { actor, address } = caller;
  const entry = { actor, address, outcome, details, ...rest };
  return db.write((sqlite) => appendAuditInWrite(sqlite, entry, Date.now()));
}

export function auditAgent(
  deps: RuntimeDeps,
  { action, agent, caller, ok }: { action: string; agent: string; caller: Caller; ok: boolean },
): Promise<void> {
  const { actor, address } = caller;
  const outcome = ok ? "ok" : "failed";
  const entry = { actor, address, action, sessionId: null, target: agent, outcome, details: {} };
  return deps.db.write((sqlite) => appendAuditInWrite(sqlite, entry, Date.now()));
}
