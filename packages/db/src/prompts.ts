/**
 * A prompt's three commits: acceptance, dispatch mark, end. Each is a conditional update, so a
 * prompt moves along its states once, whoever asks twice.
 */
import {
  AppError,
  OWN_EVENT,
  type PromptState,
  type StoredError,
  sourcesOf,
} from "@signalbox/protocol";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import { tellFleetInWrite } from "./fleet-news.ts";
import type { Owner, PromptRow } from "./rows.ts";
import { findRunningInWrite } from "./running-turn.ts";
import { appendEventsInWrite, type NewEvent, sessionNotFound } from "./session-log.ts";
import { setLastErrorInWrite } from "./sessions.ts";

export interface NewPrompt extends Owner {
  promptId: string;
  sessionId: string;
  idempotencyKey: string | null;
  contentHash: string;
  /** The content blocks as JSON text. */
  content: string;
  /** The user message as events, one for each block. */
  events: readonly NewEvent[];
  whenBusy: "reject" | "queue";
  maxQueued: number;
  /** Throws when the prompt must not be accepted; not asked for one that was accepted before. */
  assertNew: () => void;
}

export interface Acceptance {
  kind: "started" | "queued" | "repeated";
  promptId: string;
  sequence: number;
}

/**
 * Accepts a prompt: its row and its complete user message, or its place in the queue.
 *
 * The same key with the same content is answered with the prompt it named first.
 *
 * @throws AppError `session_not_found`, `idempotency_conflict`, `session_busy`, `limit_exceeded`
 */
export function acceptPromptInWrite(sqlite: Sqlite, prompt: NewPrompt, now: number): Acceptance {
  const known = findByKey(sqlite, prompt);
  if (known) {
    if (known.contentHash !== prompt.contentHash) {
      throw new AppError(
        "idempotency_conflict",
        "this idempotency key was used with other content",
        { details: { sessionId: prompt.sessionId, promptId: known.promptId } },
      );
    }
    return { kind: "repeated", promptId: known.promptId, sequence: known.acceptedSequence };
  }
  prompt.assertNew();
  const running = findRunningInWrite(sqlite, prompt.sessionId);
  const queued = countQueued(sqlite, prompt.sessionId);
  if (!running && queued === 0) return startPrompt(sqlite, prompt, now);
  if (prompt.whenBusy === "queue") return queuePrompt(sqlite, prompt, queued, now);
  throw new AppError(
    "session_busy",
    running
      ? `session ${prompt.sessionId} is running prompt ${running.promptId}`
      : `session ${prompt.sessionId} has ${queued} queued prompt(s)`,
    { details: { sessionId: prompt.sessionId, promptId: running?.promptId ?? null } },
  );
}

function findByKey(sqlite: Sqlite, prompt: NewPrompt): PromptRow | undefined {
  if (prompt.idempotencyKey === null) return undefined;
  return prepareCached(
    sqlite,
    "SELECT * FROM Prompt WHERE sessionId = ? AND idempotencyKey = ?",
  ).get(prompt.sessionId, prompt.idempotencyKey) as PromptRow | undefined;
}

function countQueued(sqlite: Sqlite, sessionId: string): number {
  const row = prepareCached(
    sqlite,
    `SELECT count(*) AS count FROM Prompt INDEXED BY Prompt_queue
     WHERE sessionId = ? AND startedAt IS NULL AND endedAt IS NULL`,
  ).get(sessionId) as { count: number };
  return row.count;
}

function startPrompt(sqlite: Sqlite, prompt: NewPrompt, now: number): Acceptance {
  const { firstSequence, lastSequence } = appendEventsInWrite(sqlite, prompt, prompt.events);
  insertPrompt(sqlite, prompt, {
    state: "accepted",
    acceptedSequence: lastSequence,
    startSequence: firstSequence,
    queuedAt: null,
    startedAt: now,
    now,
  });
  setLastErrorInWrite(sqlite, prompt.sessionId, null);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: prompt.sessionId }, now);
  return { kind: "started", promptId: prompt.promptId, sequence: lastSequence };
}

function queuePrompt(sqlite: Sqlite, prompt: NewPrompt, queued: number, now: number): Acceptance {
  if (queued >= prompt.maxQueued) {
    throw new AppError("limit_exceeded", `the queue of session ${prompt.sessionId} is full`, {
      details: {
        limit: "limits.acp.maxQueuedPromptsPerSession",
        max: prompt.maxQueued,
        actual: queued + 1,
      },
    });
  }
  const event = {
    type: OWN_EVENT.promptQueued,
    promptId: prompt.promptId,
    fields: JSON.stringify({ position: queued + 1 }),
    timestamp: now,
  };
  const { lastSequence } = appendEventsInWrite(sqlite, prompt, [event]);
  insertPrompt(sqlite, prompt, {
    state: "queued",
    acceptedSequence: lastSequence,
    startSequence: null,
    queuedAt: now,
    startedAt: null,
    now,
  });
  setLastErrorInWrite(sqlite, prompt.sessionId, null);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: prompt.sessionId }, now);
  return { kind: "queued", promptId: prompt.promptId, sequence: lastSequence };
}

function insertPrompt(
  sqlite: Sqlite,
  prompt: NewPrompt,
  start: {
    state: PromptState;
    acceptedSequence: number;
    startSequence: number | null;
    queuedAt: number | null;
    startedAt: number | null;
    now: number;
  },
): void {
  prepareCached(
    sqlite,
    `INSERT INTO Prompt (promptId, sessionId, idempotencyKey, contentHash, queuedContent, state,
       acceptedSequence, startSequence, queuedAt, startedAt, createdAt, ownerId, ownerEpoch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    prompt.promptId,
    prompt.sessionId,
    prompt.idempotencyKey,
    prompt.contentHash,
    start.state === "queued" ? prompt.content : null,
    start.state,
    start.acceptedSequence,
    start.startSequence,
    start.queuedAt,
    start.startedAt,
    start.now,
    prompt.ownerId,
    prompt.ownerEpoch,
  );
}

/**
 * Starts the first queued prompt of an idle session; its user message is written now.
 *
 * @param userEvents makes the user message's events from the row
 * @returns undefined when nothing is queued or a turn is running
 */
export function startQueuedPromptInWrite(
  sqlite: Sqlite,
  target: { sessionId: string } & Owner,
  userEvents: (row: PromptRow) => readonly NewEvent[],
  now: number,
): PromptRow | undefined {
  if (findRunningInWrite(sqlite, target.sessionId)) return undefined;
  const row = prepareCached(
    sqlite,
    `SELECT * FROM Prompt INDEXED BY Prompt_queue
     WHERE sessionId = ? AND startedAt IS NULL AND endedAt IS NULL
     ORDER BY acceptedSequence LIMIT 1`,
  ).get(target.sessionId) as PromptRow | undefined;
  if (!row) return undefined;
  const { firstSequence } = appendEventsInWrite(sqlite, target, userEvents(row));
  prepareCached(
    sqlite,
    `UPDATE Prompt SET state = 'accepted', queuedContent = NULL, startSequence = ?, startedAt = ?,
       ownerId = ?, ownerEpoch = ? WHERE sessionId = ? AND promptId = ? AND state = 'queued'`,
  ).run(firstSequence, now, target.ownerId, target.ownerEpoch, target.sessionId, row.promptId);
  setLastErrorInWrite(sqlite, target.sessionId, null);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: target.sessionId }, now);
  return { ...row, state: "accepted", startSequence: firstSequence, startedAt: now };
}

/**
 * The second commit: after it the prompt may have reached the agent, and is never sent again.
 *
 * @returns false when the prompt is no longer waiting to be sent
 */
export function markDispatched(
  db: Database,
  target: { sessionId: string; promptId: string } & Owner,
  now: number,
): Promise<boolean> {
  return db.write(
    (sqlite) =>
      prepareCached(
        sqlite,
        `UPDATE Prompt SET state = 'dispatched', dispatchedAt = ? WHERE sessionId = ?
           AND promptId = ? AND state = 'accepted' AND ownerId = ? AND ownerEpoch = ?`,
      ).run(now, target.sessionId, target.promptId, target.ownerId, target.ownerEpoch).changes ===
      1,
  );
}

/** Whether the agent was ever handed a prompt of this session. */
export function hasDispatchedPrompt(db: Database, sessionId: string): Promise<boolean> {
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        "SELECT 1 FROM Prompt WHERE sessionId = ? AND dispatchedAt IS NOT NULL LIMIT 1",
      ).get(sessionId) !== undefined,
  );
}

/**
 * Ends queued prompts before they start, each with its `turn_ended`.
 *
 * @param promptId one of them, or null for all
 * @returns the ids of those that were ended
 */
export function cancelQueuedPromptsInWrite(
  sqlite: Sqlite,
  target: { sessionId: string; promptId: string | null } & Owner,
  now: number,
): string[] {
  const queued = prepareCached(
    sqlite,
    `SELECT promptId FROM Prompt INDEXED BY Prompt_queue
     WHERE sessionId = ? AND startedAt IS NULL AND endedAt IS NULL
     ORDER BY acceptedSequence`,
  ).all(target.sessionId) as { promptId: string }[];
  const ended = queued
    .map((row) => row.promptId)
    .filter((promptId) => target.promptId === null || promptId === target.promptId);
  for (const promptId of ended) {
    const { lastSequence } = appendEventsInWrite(sqlite, target, [
      {
        type: OWN_EVENT.turnEnded,
        promptId,
        fields: JSON.stringify({ stopReason: "cancelled", openToolCalls: [] }),
        timestamp: now,
      },
    ]);
    const end = {
      promptId,
      sessionId: target.sessionId,
      state: "cancelled" as const,
      stopReason: "cancelled",
      error: null,
      endSequence: lastSequence,
    };
    finishPromptInWrite(sqlite, end, now);
  }
  return ended;
}

export interface PromptEnd {
  promptId: string;
  sessionId: string;
  state: "completed" | "failed" | "cancelled";
  stopReason: string | null;
  error: StoredError | null;
  /** The turn's last event. */
  endSequence: number;
  /** Goes into what is known of the turn's usage, as JSON text. */
  usage?: string | null;
}

/**
 * The third commit's row change. The caller appends `turn_ended` in the same write.
 *
 * @returns false when the prompt had ended before
 */
export function finishPromptInWrite(sqlite: Sqlite, end: PromptEnd, now: number): boolean {
  const sources = JSON.stringify(sourcesOf(end.state));
  const { changes } = prepareCached(
    sqlite,
    `UPDATE Prompt SET state = ?, stopReason = ?, error = ?, endSequence = ?, endedAt = ?,
       usage = iif(? IS NULL, usage, json_patch(ifnull(usage, '{}'), ?))
     WHERE sessionId = ? AND promptId = ? AND state IN (SELECT value FROM json_each(?))`,
  ).run(
    end.state,
    end.stopReason,
    end.error === null ? null : JSON.stringify(end.error),
    end.endSequence,
    now,
    end.usage ?? null,
    end.usage ?? null,
    end.sessionId,
    end.promptId,
    sources,
  );
  if (changes !== 1) return false;
  setLastErrorInWrite(sqlite, end.sessionId, end.error);
  tellFleetInWrite(sqlite, { type: "session_changed", sessionId: end.sessionId }, now);
  return true;
}

export function findPrompt(
  db: Database,
  target: { sessionId: string; promptId: string },
): Promise<PromptRow | undefined> {
  return db.read(
    (sqlite) =>
      prepareCached(sqlite, "SELECT * FROM Prompt WHERE sessionId = ? AND promptId = ?").get(
        target.sessionId,
        target.promptId,
      ) as PromptRow | undefined,
  );
}

/** @throws AppError `session_not_found` or `prompt_not_found` */
export async function readPrompt(
  db: Database,
  target: { sessionId: string; promptId: string },
): Promise<PromptRow> {
  const row = await findPrompt(db, target);
  if (row) return row;
  const session = await db.read((sqlite) =>
    prepareCached(sqlite, "SELECT 1 FROM Session WHERE sessionId = ?").get(target.sessionId),
  );
  if (!session) throw sessionNotFound(target.sessionId);
  throw new AppError("prompt_not_found", `prompt ${target.promptId} does not exist`, {
    details: { sessionId: target.sessionId, promptId: target.promptId },
  });
}

/** A prompt without its content, which only its start needs. */
export type OpenPrompt = Pick<
  PromptRow,
  "promptId" | "sessionId" | "state" | "startSequence" | "queuedAt" | "startedAt" | "createdAt"
>;

const OPEN_PROMPT = `SELECT promptId, sessionId, state, startSequence, queuedAt, startedAt, createdAt,
  acceptedSequence FROM Prompt`;

/** Prompts that are running or queued, of the sessions named; each part has an index. */
export function readOpenPrompts(
  db: Database,
  sessionIds: readonly string[],
): Promise<OpenPrompt[]> {
  const ofSessions = "sessionId IN (SELECT value FROM json_each(@ids))";
  return db.read(
    (sqlite) =>
      prepareCached(
        sqlite,
        `${OPEN_PROMPT} INDEXED BY Prompt_one_running
           WHERE ${ofSessions} AND startedAt IS NOT NULL AND endedAt IS NULL
         UNION ALL
         ${OPEN_PROMPT} INDEXED BY Prompt_queue
           WHERE ${ofSessions} AND startedAt IS NULL AND endedAt IS NULL
         ORDER BY acceptedSequence`,
      ).all({ ids: JSON.stringify(sessionIds) }) as OpenPrompt[],
  );
}

export function readSessionsWithQueuedPrompts(db: Database): Promise<string[]> {
  return db.read((sqlite) =>
    (
      prepareCached(
        sqlite,
        "SELECT DISTINCT sessionId FROM Prompt INDEXED BY Prompt_queue WHERE startedAt IS NULL AND endedAt IS NULL",
      ).all() as {
        sessionId: string;
      }[]
    ).map((row) => row.sessionId),
  );
}

export function countRunningPrompts(db: Database): Promise<number> {
  return db.prisma.prompt.count({ where: { startedAt: { not: null }, endedAt: null } });
}
