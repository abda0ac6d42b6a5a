import { prepareCached, type Sqlite } from "./database.ts";
import type { PromptRow } from "./rows.ts";

export function findRunningInWrite(sqlite: Sqlite, sessionId: string): PromptRow | undefined {
  return prepareCached(
    sqlite,
    "SELECT * FROM Prompt WHERE sessionId = ? AND startedAt IS NOT NULL AND endedAt IS NULL",
  ).get(sessionId) as PromptRow | undefined;
}

/**
 * The turn of an event that may be written after the end of the one in which it began: whether
 * that has ended is known only where nothing can come between.
 */
export function runningPromptIdIn(sqlite: Sqlite, sessionId: string): string | null {
  return findRunningInWrite(sqlite, sessionId)?.promptId ?? null;
}
