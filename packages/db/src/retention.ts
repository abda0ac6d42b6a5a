/**
 * What history and prompts are cut back to, oldest first and in small batches, so that no writer
 * waits long behind one.
 */
import type { AcpLimits } from "@signalbox/protocol";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import type { EventRow, Owner, PromptRow } from "./rows.ts";
import { rollUpCrashesInWrite, rollUpUsageInWrite } from "./usage-rollup.ts";

export type HistoryLimits = Pick<AcpLimits, "maxSessionHistoryBytes" | "maxSessionHistoryEvents">;

export interface HistoryFigures {
  latestSequence: number;
  oldestSequence: number;
  historyBytes: number;
}

const BATCH_EVENTS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
/** A cut goes this far below the limit, so that a session at its limit is not cut at each event. */
const SLACK = 0.01;
const MAX_SLACK_EVENTS = 1_000;
/** A larger result of a pruned turn is not kept. */
const MAX_RESULT_BYTES = 1024 * 1024;

export function isOverHistoryLimits(figures: HistoryFigures, limits: HistoryLimits): boolean {
  return (
    eventsOf(figures) > limits.maxSessionHistoryEvents ||
    figures.historyBytes > limits.maxSessionHistoryBytes
  );
}

function eventsOf({ latestSequence, oldestSequence }: HistoryFigures): number {
  return latestSequence - oldestSequence + 1;
}

export function historyFiguresIn(sqlite: Sqlite, sessionId: string): HistoryFigures | undefined {
  return prepareCached(
    sqlite,
    "SELECT latestSequence, oldestSequence, historyBytes FROM Session WHERE sessionId = ?",
  ).get(sessionId) as HistoryFigures | undefined;
}

/**
 * Removes one batch of the oldest events while the session is above what a cut goes down to.
 * Never removes an event of the turn that runs, nor the newest one.
 *
 * @returns whether another batch is due
 */
export function pruneEventsInWrite(
  sqlite: Sqlite,
  target: { sessionId: string } & Owner,
  limits: HistoryLimits,
): boolean {
  const figures = historyFiguresIn(sqlite, target.sessionId);
  if (!figures) return false;
  const events = limits.maxSessionHistoryEvents;
  const goal = {
    events: events - Math.min(MAX_SLACK_EVENTS, Math.floor(events * SLACK)),
    bytes: Math.floor(limits.maxSessionHistoryBytes * (1 - SLACK)),
  };
  const cut = cutOf(sqlite, target.sessionId, figures, goal);
  if (cut.sequence === figures.oldestSequence) return false;
  keepResultsInWrite(sqlite, target.sessionId, cut.sequence);
  rollUpCrashesInWrite(sqlite, target.sessionId, cut.sequence);
  prepareCached(sqlite, "DELETE FROM Event WHERE sessionId = ? AND sequence < ?").run(
    target.sessionId,
    cut.sequence,
  );
  prepareCached(
    sqlite,
    `UPDATE Session SET oldestSequence = ?, historyBytes = historyBytes - ?
     WHERE sessionId = ? AND ownerId = ? AND ownerEpoch = ?`,
  ).run(cut.sequence, cut.bytes, target.sessionId, target.ownerId, target.ownerEpoch);
  return cut.isBatchFull;
}

/** Where to cut: the first sequence that stays, and what goes. */
function cutOf(
  sqlite: Sqlite,
  sessionId: string,
  figures: HistoryFigures,
  goal: { events: number; bytes: number },
): { sequence: number; bytes: number; isBatchFull: boolean } {
  const firstKept = Math.min(figures.latestSequence, runningFrom(sqlite, sessionId));
  const rows = prepareCached(
    sqlite,
    `SELECT sequence, octet_length(fields) AS bytes FROM Event
     WHERE sessionId = ? AND sequence < ? ORDER BY sequence LIMIT ?`,
  ).iterate(sessionId, firstKept, BATCH_EVENTS) as IterableIterator<{
    sequence: number;
    bytes: number;
  }>;
  const cut = { sequence: figures.oldestSequence, bytes: 0, count: 0 };
  const isLow = () =>
    figures.latestSequence - cut.sequence + 1 <= goal.events &&
    figures.historyBytes - cut.bytes <= goal.bytes;
  for (const row of rows) {
    if (isLow() || cut.bytes >= BATCH_BYTES) break;
    cut.sequence = row.sequence + 1;
    cut.bytes += row.bytes;
    cut.count += 1;
  }
  const isBatchFull = cut.count === BATCH_EVENTS || cut.bytes >= BATCH_BYTES;
  return { sequence: cut.sequence, bytes: cut.bytes, isBatchFull: isBatchFull && !isLow() };
}

/** The first event of the turn that runs; above everything when none does. */
function runningFrom(sqlite: Sqlite, sessionId: string): number {
  const row = prepareCached(
    sqlite,
    `SELECT startSequence FROM Prompt INDEXED BY Prompt_one_running
     WHERE sessionId = ? AND startedAt IS NOT NULL AND endedAt IS NULL`,
  ).get(sessionId) as { startSequence: number | null } | undefined;
  return row?.startSequence ?? Number.MAX_SAFE_INTEGER;
}

/** Turns that lose events keep their result in their row, while it is still whole. */
function keepResultsInWrite(sqlite: Sqlite, sessionId: string, cut: number): void {
  const turns = prepareCached(
    sqlite,
    `SELECT DISTINCT p.* FROM Event e JOIN Prompt p
       ON p.sessionId = e.sessionId AND p.promptId = e.promptId
     WHERE e.sessionId = ? AND e.sequence < ? AND p.result IS NULL AND p.endedAt IS NOT NULL`,
  ).all(sessionId, cut) as PromptRow[];
  for (const turn of turns) {
    const messages = messagesIn(sqlite, turn);
    const result = JSON.stringify(messages.map(({ fields }) => fields));
    const kept = Buffer.byteLength(result) <= MAX_RESULT_BYTES ? result : "null";
    prepareCached(sqlite, "UPDATE Prompt SET result = ? WHERE sessionId = ? AND promptId = ?").run(
      kept,
      sessionId,
      turn.promptId,
    );
  }
}

/** The agent's committed messages of one turn, in order. */
export function messagesIn(
  sqlite: Sqlite,
  turn: Pick<PromptRow, "sessionId" | "promptId" | "startSequence" | "endSequence">,
): Pick<EventRow, "fields">[] {
  return prepareCached(
    sqlite,
    `SELECT fields FROM Event WHERE sessionId = ? AND sequence BETWEEN ? AND ?
       AND promptId = ? AND type = 'agent_message_chunk' ORDER BY sequence`,
  ).all(
    turn.sessionId,
    turn.startSequence ?? 0,
    turn.endSequence ?? Number.MAX_SAFE_INTEGER,
    turn.promptId,
  ) as Pick<EventRow, "fields">[];
}

const BATCH_PROMPTS = 500;

export function countPromptsIn(sqlite: Sqlite, sessionId: string): number {
  const row = prepareCached(sqlite, "SELECT count(*) AS count FROM Prompt WHERE sessionId = ?").get(
    sessionId,
  ) as { count: number };
  return row.count;
}

/**
 * Removes a batch of the oldest ended prompts of a session, of `count` at most: with them goes
 * what their idempotency keys stood for. The newest stays.
 *
 * @returns how many were removed
 */
export function prunePromptsInWrite(sqlite: Sqlite, sessionId: string, count: number): number {
  const due = prepareCached(
    sqlite,
    `SELECT promptId FROM Prompt WHERE sessionId = ? AND endedAt IS NOT NULL
       AND promptId < (SELECT max(promptId) FROM Prompt WHERE sessionId = ?)
     ORDER BY promptId LIMIT ?`,
  ).all(sessionId, sessionId, Math.min(count, BATCH_PROMPTS)) as { promptId: string }[];
  removePrompts(
    sqlite,
    sessionId,
    due.map(({ promptId }) => promptId),
  );
  return due.length;
}

function removePrompts(sqlite: Sqlite, sessionId: string, promptIds: readonly string[]): void {
  rollUpUsageInWrite(sqlite, sessionId, promptIds);
  const remove = prepareCached(sqlite, "DELETE FROM Prompt WHERE sessionId = ? AND promptId = ?");
  for (const promptId of promptIds) remove.run(sessionId, promptId);
}

const SCAN_ROWS = 5_000;

/**
 * Removes prompts that ended before `beforeMs`, over all sessions, but for each session's newest.
 * Looks through the table page by page and lets other work go on between the pages.
 *
 * @returns how many were removed
 */
export async function pruneOldPrompts(
  db: Database,
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  let after = { sessionId: "", promptId: "" };
  let removed = 0;
  while (!signal.aborted) {
    const page = await db.read(
      (sqlite) =>
        prepareCached(
          sqlite,
          `SELECT sessionId, promptId, endedAt FROM Prompt
           WHERE (sessionId, promptId) > (?, ?) ORDER BY sessionId, promptId LIMIT ?`,
        ).all(after.sessionId, after.promptId, SCAN_ROWS) as {
          sessionId: string;
          promptId: string;
          endedAt: number | null;
        }[],
    );
    const last = page.at(-1);
    if (!last) break;
    after = last;
    const due = page.filter(({ endedAt }) => endedAt !== null && endedAt < beforeMs);
    if (due.length > 0) removed += await db.write((sqlite) => removeButNewest(sqlite, due));
  }
  return removed;
}

function removeButNewest(
  sqlite: Sqlite,
  due: readonly { sessionId: string; promptId: string }[],
): number {
  const newest = prepareCached(
    sqlite,
    "SELECT max(promptId) AS id FROM Prompt WHERE sessionId = ?",
  );
  let removed = 0;
  for (const sessionId of new Set(due.map((prompt) => prompt.sessionId))) {
    const { id } = newest.get(sessionId) as { id: string | null };
    const promptIds = due
      .filter((prompt) => prompt.sessionId === sessionId && prompt.promptId !== id)
      .map(({ promptId }) => promptId);
    removePrompts(sqlite, sessionId, promptIds);
    removed += promptIds.length;
  }
  return removed;
}
