/** Rows as clients see them: private columns dropped, JSON text parsed, times as RFC 3339. */
import {
  type Database,
  type EventRow,
  type OfSession,
  type OpenPrompt,
  type PermissionRow,
  type QuestionRow,
  readOpenPrompts,
  readPendingOfSessions,
  type SessionRow,
} from "@signalbox/db";
import {
  type AdapterPresence,
  composeEvent,
  type DurableEvent,
  isJsonObject,
  isRunning,
  type JsonObject,
  META,
  type PendingPermission,
  type PendingQuestion,
  type PermissionOption,
  type SessionInfo,
  type SessionState,
  type StoredError,
} from "@signalbox/protocol";

export function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function objectOf(text: string | null): JsonObject | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : null;
}

/** The row that an event was made of, for those who need its exact text. */
const rowsOfEvents = new WeakMap<object, EventRow>();

export function rowOf(event: object): EventRow | undefined {
  return rowsOfEvents.get(event);
}

export function eventOf(row: EventRow): DurableEvent {
  const { sessionId, sequence, promptId, type } = row;
  const envelope = { sessionId, sequence, timestamp: timestampOf(row.timestamp), promptId, type };
  const event = composeEvent(envelope, fieldsOf(row));
  rowsOfEvents.set(event, row);
  return event;
}

/** One row that was damaged must not hide the others: it is shown as the text that it holds. */
function fieldsOf(row: EventRow): JsonObject {
  try {
    return objectOf(row.fields) ?? {};
  } catch {
    return { _meta: { [META.unreadable]: row.fields } };
  }
}

export function pendingPermissionOf(row: PermissionRow & OfSession): PendingPermission {
  return {
    sessionId: row.sessionId,
    requestId: row.requestId,
    promptId: row.promptId,
    toolCall: objectOf(row.toolCall) ?? {},
    options: JSON.parse(row.options) as PermissionOption[],
    digest: row.digest,
    requestedAt: timestampOf(row.requestedAt),
    agent: row.agent,
    cwd: row.cwd,
    title: row.title,
  };
}

export function pendingQuestionOf(row: QuestionRow): PendingQuestion {
  const schema = objectOf(row.schema);
  return {
    sessionId: row.sessionId,
    requestId: row.requestId,
    promptId: row.promptId,
    message: row.message,
    mode: row.mode,
    ...(schema === null ? {} : { schema }),
    ...(row.url === null ? {} : { url: row.url }),
    requestedAt: timestampOf(row.requestedAt),
  };
}

interface OpenRows {
  readonly prompts: readonly OpenPrompt[];
  readonly permissions: readonly (PermissionRow & OfSession)[];
  readonly questions: readonly QuestionRow[];
}

/** @param presenceOf whether a session has a live adapter, which only memory knows */
export async function sessionInfos(
  db: Database,
  rows: readonly SessionRow[],
  presenceOf: (sessionId: string) => AdapterPresence,
): Promise<SessionInfo[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.sessionId);
  const [prompts, permissions, questions] = await Promise.all([
    readOpenPrompts(db, ids),
    readPendingOfSessions<PermissionRow>(db, "Permission", ids),
    readPendingOfSessions<QuestionRow>(db, "Question", ids),
  ]);
  const promptsOf = bySession(prompts);
  const permissionsOf = bySession(permissions);
  const questionsOf = bySession(questions);
  return rows.map((row) => {
    const { sessionId } = row;
    const open = {
      prompts: promptsOf.get(sessionId) ?? [],
      permissions: permissionsOf.get(sessionId) ?? [],
      questions: questionsOf.get(sessionId) ?? [],
    };
    return sessionInfo(row, open, presenceOf(sessionId));
  });
}

function bySession<T extends { sessionId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.sessionId);
    if (group) group.push(item);
    else groups.set(item.sessionId, [item]);
  }
  return groups;
}

function sessionInfo(row: SessionRow, open: OpenRows, adapter: AdapterPresence): SessionInfo {
  return {
    sessionId: row.sessionId,
    agent: row.agent,
    cwd: row.cwd,
    additionalDirectories: JSON.parse(row.additionalDirectories) as string[],
    permissionPolicy: row.permissionPolicy,
    state: stateOf(row, open),
    adapter,
    latestSequence: row.latestSequence,
    title: row.title,
    metadata: objectOf(row.metadata),
    usage: objectOf(row.usage),
    queuedPrompts: open.prompts
      .filter((prompt) => prompt.state === "queued")
      .map(({ promptId, queuedAt, createdAt }) => ({
        promptId,
        queuedAt: timestampOf(queuedAt ?? createdAt),
      })),
    pendingPermissions: open.permissions.length,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  };
}

function stateOf(row: SessionRow, { prompts, permissions, questions }: OpenRows): SessionState {
  const running = prompts.find((prompt) => isRunning(prompt.state));
  const waitingSince = [permissions[0], questions[0]].flatMap((first) => first?.requestedAt ?? []);
  if (waitingSince.length > 0) {
    return {
      status: "waiting",
      promptId: running?.promptId ?? null,
      waitingSince: timestampOf(Math.min(...waitingSince)),
      requests: permissions.map(pendingPermissionOf),
      questions: questions.map(pendingQuestionOf),
    };
  }
  if (running) {
    const startedAt = timestampOf(running.startedAt ?? running.createdAt);
    return { status: "running", promptId: running.promptId, startedAt };
  }
  if (row.lastError !== null) {
    return { status: "failed", error: JSON.parse(row.lastError) as StoredError };
  }
  return { status: "idle" };
}
