/**
 * What a crash left open, closed before anyone can ask. One transaction: a half-done recovery
 * is done again by the next start.
 */
import { AppError, META, OWN_EVENT, type StoredError } from "@signalbox/protocol";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import { endPermissionsInWrite } from "./permissions.ts";
import { finishPromptInWrite } from "./prompts.ts";
import { endQuestionsInWrite } from "./questions.ts";
import type { Owner, PromptRow } from "./rows.ts";
import { appendEventsInWrite, dropOpenMessageInWrite, type NewEvent } from "./session-log.ts";

export interface Recovered {
  turns: number;
  permissions: number;
  questions: number;
  messages: number;
}

export function recoverFromCrash(db: Database, owner: Owner, now: number): Promise<Recovered> {
  return db.write((sqlite) => {
    const messages = keepOpenMessages(sqlite, owner, now);
    const running = prepareCached(
      sqlite,
      "SELECT * FROM Prompt WHERE startedAt IS NOT NULL AND endedAt IS NULL",
    ).all() as PromptRow[];
    const waiting = prepareCached(
      sqlite,
      `SELECT sessionId FROM Permission WHERE state = 'pending'
       UNION SELECT sessionId FROM Question WHERE state = 'pending'`,
    ).all() as { sessionId: string }[];
    let permissions = 0;
    let questions = 0;
    for (const { sessionId } of waiting) {
      const scope = { sessionId, ...owner };
      permissions += endPermissionsInWrite(sqlite, scope, "server_restarted", now).length;
      questions += endQuestionsInWrite(sqlite, scope, "server_restarted", now).length;
    }
    for (const prompt of running) endTurn(sqlite, prompt, owner, now);
    return { turns: running.length, permissions, questions, messages };
  });
}

function keepOpenMessages(sqlite: Sqlite, owner: Owner, now: number): number {
  const rows = prepareCached(sqlite, "SELECT * FROM OpenMessage").all() as {
    sessionId: string;
    promptId: string | null;
    type: string;
    fields: string;
  }[];
  for (const row of rows) {
    const fields = JSON.parse(row.fields);
    const event: NewEvent = {
      type: row.type,
      promptId: row.promptId,
      fields: JSON.stringify({ ...fields, _meta: { ...fields._meta, [META.partial]: true } }),
      timestamp: now,
    };
    appendEventsInWrite(sqlite, { sessionId: row.sessionId, ...owner }, [event]);
    dropOpenMessageInWrite(sqlite, row.sessionId);
  }
  return rows.length;
}

function endTurn(sqlite: Sqlite, prompt: PromptRow, owner: Owner, now: number): void {
  const error = crashError(prompt);
  const { lastSequence } = appendEventsInWrite(sqlite, { sessionId: prompt.sessionId, ...owner }, [
    {
      type: OWN_EVENT.turnEnded,
      promptId: prompt.promptId,
      fields: JSON.stringify({ error, openToolCalls: openToolCalls(sqlite, prompt) }),
      timestamp: now,
    },
  ]);
  finishPromptInWrite(
    sqlite,
    {
      promptId: prompt.promptId,
      sessionId: prompt.sessionId,
      state: "failed",
      stopReason: null,
      error,
      endSequence: lastSequence,
    },
    now,
  );
}

function crashError(prompt: PromptRow): StoredError {
  const details = { promptId: prompt.promptId, cause: "server_restarted" };
  if (prompt.state === "dispatched") {
    return new AppError(
      "prompt_delivery_uncertain",
      "the server stopped after the prompt was handed to the agent; whether it acted on it is unknown",
      { details: { ...details, delivery: "uncertain" } },
    ).toStored();
  }
  return new AppError(
    "prompt_not_delivered",
    "the server stopped before the prompt was handed to the agent; it is safe to send it again",
    { details: { ...details, delivery: "never" } },
  ).toStored();
}

/** Tool calls of the turn whose last status was neither completed nor failed. */
function openToolCalls(sqlite: Sqlite, prompt: PromptRow): string[] {
  const rows = prepareCached(
    sqlite,
    `SELECT fields FROM Event WHERE sessionId = ? AND sequence >= ? AND promptId = ?
       AND type IN ('tool_call', 'tool_call_update') ORDER BY sequence`,
  ).all(prompt.sessionId, prompt.startSequence ?? 0, prompt.promptId) as { fields: string }[];
  const status = new Map<string, string>();
  for (const row of rows) {
    const call = JSON.parse(row.fields) as { toolCallId?: unknown; status?: unknown };
    if (typeof call.toolCallId !== "string") continue;
    const known = status.get(call.toolCallId) ?? "pending";
    status.set(call.toolCallId, typeof call.status === "string" ? call.status : known);
  }
  return [...status]
    .filter(([, last]) => last !== "completed" && last !== "failed")
    .map(([toolCallId]) => toolCallId);
}
