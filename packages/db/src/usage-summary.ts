/** What turns used and what they cost, from the rows that are left and from what was kept of the rest. */
import { setImmediate } from "node:timers/promises";
import { type Database, prepareCached, type Sqlite } from "./database.ts";
import {
  addApproval,
  addFacts,
  addTurn,
  approvalsOf,
  crashesOf,
  dayOf,
  noUsage,
  type UsageFacts,
} from "./usage-rollup.ts";

export interface UsageRange {
  /** Included, in milliseconds. */
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

/** Sessions that one snapshot looks at; other work goes on between two. */
const BATCH_SESSIONS = 100;

interface SessionName {
  sessionId: string;
  /** null when only what was kept of it is left. */
  agent: string | null;
}

/**
 * Sums by `keyOf`. Each session is read in one snapshot, so that what moves from its rows to what
 * is kept of them is counted once.
 */
export async function readUsage(
  db: Database,
  range: UsageRange,
  keyOf: (of: { agent: string; sessionId: string; day: string }) => string,
): Promise<Map<string, UsageFacts>> {
  const sums = new Map<string, UsageFacts>();
  const sumOf: SumOf = (agent, sessionId, day) => {
    const key = keyOf({ agent, sessionId, day });
    const sum = sums.get(key) ?? noUsage();
    sums.set(key, sum);
    return sum;
  };
  for (let after: string | null = ""; after !== null; await setImmediate()) {
    const from: string = after;
    after = await db.read((sqlite) => {
      const sessions = sessionsAfter(sqlite, from, range);
      for (const session of sessions) addSession(sqlite, session, range, sumOf);
      return sessions.length < BATCH_SESSIONS ? null : (sessions.at(-1)?.sessionId ?? null);
    });
  }
  return sums;
}

type SumOf = (agent: string, sessionId: string, day: string) => UsageFacts;

/** A session that was last changed before the range has nothing in it. */
function sessionsAfter(sqlite: Sqlite, after: string, { fromMs }: UsageRange): SessionName[] {
  return prepareCached(
    sqlite,
    `SELECT sessionId, max(agent) AS agent FROM (
       SELECT * FROM (SELECT sessionId, agent FROM Session
         WHERE sessionId > @after AND updatedAt >= @fromMs ORDER BY sessionId LIMIT @limit)
       UNION ALL
       SELECT * FROM (SELECT DISTINCT sessionId, NULL AS agent FROM UsageRollup
         WHERE sessionId > @after AND day >= @day ORDER BY sessionId LIMIT @limit))
     GROUP BY sessionId ORDER BY sessionId LIMIT @limit`,
  ).all({ after, fromMs, day: dayOf(fromMs), limit: BATCH_SESSIONS }) as SessionName[];
}

function addSession(
  sqlite: Sqlite,
  { sessionId, agent }: SessionName,
  range: UsageRange,
  sumOf: SumOf,
): void {
  addRollups(sqlite, sessionId, range, sumOf);
  if (agent === null) return;
  const { fromMs, toMs } = range;
  const turns = prepareCached(
    sqlite,
    `SELECT state, usage, endedAt FROM Prompt
     WHERE sessionId = ? AND endedAt >= ? AND endedAt < ?`,
  ).iterate(sessionId, fromMs, toMs) as IterableIterator<{
    state: string;
    usage: string | null;
    endedAt: number;
  }>;
  for (const turn of turns) addTurn(sumOf(agent, sessionId, dayOf(turn.endedAt)), turn);
  for (const { requestedAt, resolvedAt } of approvalsOf(sqlite, sessionId)) {
    if (resolvedAt < fromMs || resolvedAt >= toMs) continue;
    addApproval(sumOf(agent, sessionId, dayOf(resolvedAt)), resolvedAt - requestedAt);
  }
  for (const timestamp of crashesOf(sqlite, sessionId)) {
    if (timestamp < fromMs || timestamp >= toMs) continue;
    sumOf(agent, sessionId, dayOf(timestamp)).crashes += 1;
  }
}

/** Of what was kept only the day is known: one that the range touches counts wholly. */
function addRollups(sqlite: Sqlite, sessionId: string, range: UsageRange, sumOf: SumOf): void {
  const rollups = prepareCached(
    sqlite,
    "SELECT agent, day, facts FROM UsageRollup WHERE sessionId = ? AND day >= ? AND day <= ?",
  ).all(sessionId, dayOf(range.fromMs), dayOf(range.toMs - 1)) as {
    agent: string;
    day: string;
    facts: string;
  }[];
  for (const { agent, day, facts } of rollups) {
    addFacts(sumOf(agent, sessionId, day), JSON.parse(facts) as Partial<UsageFacts>);
  }
}
