/** What the transcript shows: one row for one thing that a reader follows. */
import type {
  Actor,
  JsonObject,
  JsonValue,
  OWN_EVENT,
  PermissionOption,
  StoredError,
} from "@signalbox/protocol";

import type { EndedQuestion } from "../../question/question-words.ts";

/** The protocol's own event kinds; repeated as literals so that its schemas stay out of the browser. */
export const OWN: typeof OWN_EVENT = {
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
};

interface RowBase {
  /** Stable for as long as the row is shown; a live row hands its key to the stored one. */
  key: string;
  /** The first event that made this row; null while nothing of it is stored. */
  sequence: number | null;
  timestamp: string | null;
  promptId: string | null;
}

export interface UserRow extends RowBase {
  kind: "user";
  blocks: JsonObject[];
  messageId: string | null;
  imported: boolean;
  /** Set on a row that only this browser knows yet. */
  delivery: "stored" | "sending" | "accepted" | "queued" | "failed";
}

export interface SpeechRow extends RowBase {
  kind: "message" | "thought";
  blocks: JsonObject[];
  messageId: string | null;
  /** True while deltas are arriving. */
  streaming: boolean;
  /** The turn broke off in the middle of it. */
  partial: boolean;
}

export interface TerminalView {
  terminalId: string;
  cwd: string | null;
  output: string;
  /** Characters left out of the middle of `output`. */
  omittedChars: number;
  exited: boolean;
  exitCode: number | null;
  signal: string | null;
}

export interface ToolRow extends RowBase {
  kind: "tool";
  toolCallId: string;
  title: string | null;
  toolKind: string | null;
  /** As the agent says it; never goes back from completed or failed. */
  status: string;
  /** The turn ended while the call was open. */
  interrupted: boolean;
  locations: { path: string; line: number | null }[];
  content: JsonObject[];
  rawInput: JsonValue | null;
  rawOutput: JsonValue | null;
  terminals: TerminalView[];
  startedAt: string;
  /** When the status became final, or the turn closed it. */
  endedAt: string | null;
}

export interface PlanRow extends RowBase {
  kind: "plan";
  entries: { content: string; status: string; priority: string | null }[];
  /** A later plan exists. */
  superseded: boolean;
}

export interface PermissionOutcome {
  status: string;
  reason: string | null;
  outcome: JsonObject | null;
  resolvedBy: Actor | null;
  timestamp: string;
}

export interface PermissionRow extends RowBase {
  kind: "permission";
  requestId: string;
  /** Null while only the answer has been read (the request is on an older page). */
  toolCall: JsonObject | null;
  options: PermissionOption[];
  digest: string;
  response: PermissionOutcome | null;
}

export interface QuestionRow extends RowBase {
  kind: "question";
  requestId: string;
  /** Null while only the end has been read (the question is on an older page). */
  message: string | null;
  mode: "form" | "url";
  schema: JsonObject | null;
  url: string | null;
  response: EndedQuestion | null;
}

export interface TurnEndRow extends RowBase {
  kind: "turn_end";
  stopReason: string | null;
  error: StoredError | null;
  openToolCalls: string[];
  startedAt: string | null;
}

export interface QueuedRow extends RowBase {
  kind: "queued";
  position: number | null;
  state: "waiting" | "started" | "ended";
}

export interface CrashRow extends RowBase {
  kind: "crash";
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
}

export interface NoticeRow extends RowBase {
  kind: "notice";
  tone: "quiet" | "warning";
  text: string;
  detail: string | null;
}

export interface UnknownRow extends RowBase {
  kind: "unknown";
  type: string;
  raw: JsonObject;
}

export type Row =
  | UserRow
  | SpeechRow
  | ToolRow
  | PlanRow
  | PermissionRow
  | QuestionRow
  | TurnEndRow
  | QueuedRow
  | CrashRow
  | NoticeRow
  | UnknownRow;

/** Whether a person's answer is waited for. */
export function isOpenRequest(row: Row): boolean {
  return (row.kind === "permission" || row.kind === "question") && row.response === null;
}

const FINAL_STATUSES = new Set(["completed", "failed", "cancelled"]);
const STATUS_RANK: Readonly<Record<string, number>> = { pending: 0, in_progress: 1 };

export function isFinalStatus(status: string): boolean {
  return FINAL_STATUSES.has(status);
}

/** The later of two statuses in the life of a tool call: it never goes back. */
export function laterStatus(current: string, next: string): string {
  if (isFinalStatus(current)) return current;
  if (isFinalStatus(next)) return next;
  return (STATUS_RANK[next] ?? 1) >= (STATUS_RANK[current] ?? 1) ? next : current;
}
