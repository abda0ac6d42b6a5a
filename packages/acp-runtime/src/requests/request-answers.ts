/** Answers of people to what agents asked: which of them counts, and what a late one is told. */
import {
  findRequest,
  findRequestTombstone,
  type PermissionRow,
  type QuestionRow,
  type RequestTable,
} from "@signalbox/db";
import {
  type Actor,
  AppError,
  checkAnswer,
  type JsonObject,
  type NotPendingReason,
  type PermissionOption,
  parseSessionId,
  type QuestionAction,
  type RespondResult,
  readForm,
} from "@signalbox/protocol";
import type { Caller } from "../queries.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import type { SessionHosts } from "../sessions/session-hosts.ts";
import { objectOf } from "../sessions/session-view.ts";
import { boundedPatterns } from "./pattern.ts";

export interface PermissionAnswer {
  sessionId: string;
  requestId: string;
  optionId: string;
  digest?: string | undefined;
}

export interface QuestionAnswer {
  sessionId: string;
  requestId: string;
  action: QuestionAction;
  content?: JsonObject | undefined;
}

export function respondToPermission(
  deps: RuntimeDeps,
  hosts: SessionHosts,
  answer: PermissionAnswer,
  caller: Caller,
): Promise<RespondResult> {
  return respond<PermissionRow>(deps, "Permission", answer, async (row) => {
    assertOptionFits(row, answer);
    const host = await hosts.get(row.sessionId);
    return host.permissions.decide(row, answer.optionId, caller);
  });
}

/** @throws AppError `bad_request` or `invalid_answer`; the question stays open */
export async function respondToQuestion(
  deps: RuntimeDeps,
  hosts: SessionHosts,
  answer: QuestionAnswer,
  caller: Caller,
): Promise<RespondResult> {
  const { action, content } = answer;
  if (action !== "accept" && content !== undefined) {
    throw new AppError("bad_request", `content goes with the action accept, not with ${action}`, {
      details: { field: "content" },
    });
  }
  return respond<QuestionRow>(deps, "Question", answer, async (row) => {
    const checked = action === "accept" ? acceptedContent(row, content) : null;
    const host = await hosts.get(row.sessionId);
    return host.questions.answer(row, { action, content: checked }, caller);
  });
}

interface AnyRow {
  sessionId: string;
  state: string;
  reason: string | null;
  resolvedBy: string | null;
}

/**
 * The first valid answer wins; a late one is told why, and by whom it was beaten.
 *
 * @param decide commits and delivers the answer, or tells that the request was no longer pending
 */
async function respond<R extends AnyRow>(
  deps: RuntimeDeps,
  table: RequestTable,
  answer: { sessionId: string; requestId: string },
  decide: (row: R) => Promise<boolean>,
): Promise<RespondResult> {
  const { requestId } = answer;
  const sessionId = parseSessionId(answer.sessionId);
  const row = await findRequest<R>(deps.db, table, requestId);
  if (!row || row.sessionId !== sessionId) return buried(deps, sessionId, requestId);
  const isFirst = row.state === "pending" && (await decide(row).catch(asGone));
  if (isFirst) return { status: "accepted" };
  const now = await findRequest<R>(deps.db, table, requestId);
  if (!now) return buried(deps, sessionId, requestId);
  const reason = now.state === "ended" ? (now.reason ?? "already_resolved") : "already_resolved";
  return late(reason as NotPendingReason, now.resolvedBy);
}

/** The session was deleted while the answer was on its way. */
function asGone(error: unknown): false {
  if (error instanceof AppError && error.code === "session_not_found") return false;
  throw error;
}

async function buried(
  deps: RuntimeDeps,
  sessionId: string,
  requestId: string,
): Promise<RespondResult> {
  const grave = await findRequestTombstone(deps.db, requestId);
  if (!grave || grave.sessionId !== sessionId) return late("request_not_found", null);
  return late(grave.reason, grave.resolvedBy);
}

function late(reason: NotPendingReason, resolvedBy: string | null): RespondResult {
  if (resolvedBy === null) return { status: "not_pending", reason };
  return { status: "not_pending", reason, resolvedBy: JSON.parse(resolvedBy) as Actor };
}

function assertOptionFits(row: PermissionRow, answer: PermissionAnswer): void {
  const { optionId, digest, requestId } = answer;
  if (digest !== undefined && digest !== row.digest) {
    throw new AppError("permission_changed", "the request differs from the one that was answered", {
      details: { requestId, digest: row.digest },
    });
  }
  const options = JSON.parse(row.options) as PermissionOption[];
  if (options.some((option) => option.optionId === optionId)) return;
  throw new AppError("invalid_permission_option", `option ${optionId} was not offered`, {
    details: { requestId, optionId, offered: options.map((option) => option.optionId) },
  });
}

/** @returns what the agent gets; null for a question without a form */
function acceptedContent(row: QuestionRow, given: JsonObject | undefined): JsonObject | null {
  const { requestId } = row;
  const fields = row.mode === "form" ? readForm(objectOf(row.schema) ?? {}) : null;
  if (fields === null) {
    if (given === undefined) return null;
    throw new AppError("invalid_answer", "this question has no form, so no content is taken", {
      details: { requestId, field: "content" },
    });
  }
  const { content, problems } = checkAnswer(fields, given ?? {}, boundedPatterns());
  const [first] = problems;
  if (!first) return content;
  // The value stays out: what a person typed is for the agent alone.
  throw new AppError("invalid_answer", `${first.field} ${first.problem}`, {
    details: { requestId, ...first, problems },
  });
}
