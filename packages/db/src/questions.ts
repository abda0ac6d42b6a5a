/**
 * Questions of agents. As with permission requests the row is the question: the first conditional
 * update answers it, and every end writes one `_signalbox/question_response` event with it.
 *
 * What a person typed is in none of it. The audit log tells who answered and which fields.
 */
import {
  type Actor,
  type JsonObject,
  type NotPendingReason,
  OWN_EVENT,
  type QuestionAction,
  SYSTEM_ACTOR,
} from "@signalbox/protocol";
import { appendAuditInWrite } from "./audit.ts";
import { prepareCached, type Sqlite } from "./database.ts";
import { tellFleetInWrite } from "./fleet-news.ts";
import { type RequestScope, readPendingInScope } from "./pending-requests.ts";
import type { Owner, QuestionRow } from "./rows.ts";
import { runningPromptIdIn } from "./running-turn.ts";
import { appendEventsInWrite } from "./session-log.ts";

export interface NewQuestion extends Owner {
  requestId: string;
  sessionId: string;
  promptId: string | null;
  message: string;
  mode: "form" | "url";
  schema: string | null;
  url: string | null;
  /** The event's own fields as JSON text. */
  fields: string;
}

export function openQuestionInWrite(sqlite: Sqlite, question: NewQuestion, now: number): void {
  const { requestId, sessionId, promptId } = question;
  appendEventsInWrite(sqlite, question, [
    { type: OWN_EVENT.questionRequest, promptId, fields: question.fields, timestamp: now },
  ]);
  prepareCached(
    sqlite,
    `INSERT INTO Question (requestId, sessionId, promptId, message, mode, schema, url, state,
       requestedAt, ownerId, ownerEpoch) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
  ).run(
    requestId,
    sessionId,
    promptId,
    question.message,
    question.mode,
    question.schema,
    question.url,
    now,
    question.ownerId,
    question.ownerEpoch,
  );
  tellFleetInWrite(sqlite, { type: "question_requested", sessionId, requestId }, now);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId }, now);
}

export interface QuestionAnswer extends Owner {
  row: QuestionRow;
  action: QuestionAction;
  /** The names of the fields that were filled in; null where there is no form. */
  fieldNames: string[] | null;
  actor: Actor;
  address: string | null;
}

/**
 * Answers a question with the first answer that comes.
 *
 * @returns false when it was no longer pending; nothing was written then
 */
export function answerQuestionInWrite(
  sqlite: Sqlite,
  answer: QuestionAnswer,
  now: number,
): boolean {
  const { row, action, actor, fieldNames } = answer;
  const { changes } = prepareCached(
    sqlite,
    `UPDATE Question SET state = 'answered', action = ?, resolvedBy = ?, resolvedAt = ?
     WHERE requestId = ? AND state = 'pending'`,
  ).run(action, JSON.stringify(actor), now, row.requestId);
  if (changes !== 1) return false;
  const sequence = writeResponse(sqlite, row, answer, now, {
    action,
    status: "accepted",
    resolvedBy: { ...actor },
  });
  appendAuditInWrite(
    sqlite,
    {
      actor,
      address: answer.address,
      action: "questions.respond",
      sessionId: row.sessionId,
      target: row.requestId,
      outcome: "ok",
      details: { action, ...(fieldNames === null ? {} : { fields: fieldNames }), sequence },
    },
    now,
  );
  return true;
}

/**
 * Ends open questions without an answer: those of one turn, those outside any turn, or all.
 *
 * @returns the rows that were ended, as they were
 */
export function endQuestionsInWrite(
  sqlite: Sqlite,
  scope: RequestScope & Owner,
  reason: NotPendingReason,
  now: number,
): QuestionRow[] {
  const ended = readPendingInScope<QuestionRow>(sqlite, "Question", scope);
  for (const row of ended) {
    prepareCached(
      sqlite,
      `UPDATE Question SET state = 'ended', action = 'cancel', reason = ?, resolvedAt = ?,
         resolvedBy = ? WHERE requestId = ? AND state = 'pending'`,
    ).run(reason, now, JSON.stringify(SYSTEM_ACTOR), row.requestId);
    writeResponse(sqlite, row, scope, now, { action: "cancel", status: "not_pending", reason });
  }
  return ended;
}

function writeResponse(
  sqlite: Sqlite,
  row: QuestionRow,
  { ownerId, ownerEpoch }: Owner,
  now: number,
  response: JsonObject,
): number {
  const { requestId, sessionId, promptId } = row;
  const { lastSequence } = appendEventsInWrite(sqlite, { sessionId, ownerId, ownerEpoch }, [
    {
      type: OWN_EVENT.questionResponse,
      promptId,
      fields: JSON.stringify({ requestId, ...response }),
      timestamp: now,
    },
  ]);
  const news = { type: "question_resolved", sessionId, requestId, detail: response } as const;
  tellFleetInWrite(sqlite, news, now);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId }, now);
  return lastSequence;
}

/**
 * Notes that the agent reports a link of its as done, while the question waits or was accepted;
 * one that was declined or ended is over.
 */
export function completeQuestionInWrite(
  sqlite: Sqlite,
  target: { sessionId: string; requestId: string } & Owner,
  now: number,
): void {
  const { requestId, sessionId, ownerId, ownerEpoch } = target;
  const row = prepareCached(
    sqlite,
    `SELECT promptId FROM Question WHERE requestId = ? AND (state = 'pending' OR action = 'accept')`,
  ).get(requestId) as Pick<QuestionRow, "promptId"> | undefined;
  if (!row) return;
  // A link outlives the turn it was shown in.
  const isOfRunning = row.promptId === runningPromptIdIn(sqlite, sessionId);
  appendEventsInWrite(sqlite, { sessionId, ownerId, ownerEpoch }, [
    {
      type: OWN_EVENT.questionCompleted,
      promptId: isOfRunning ? row.promptId : null,
      fields: JSON.stringify({ requestId }),
      timestamp: now,
    },
  ]);
}
