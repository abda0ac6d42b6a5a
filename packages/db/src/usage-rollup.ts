import { prepareCached, type Sqlite } from "./database.ts";

/** What a number of turns came to. */
export interface UsageFacts {
  completed: number;
  cancelled: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  /** Amounts by currency. */
  costs: Record<string, number>;
}

/** A turn's own usage, as `Prompt.usage` keeps it. */
export interface TurnUsage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  cost?: { amount: number; currency: string };
}

export function noUsage(): UsageFacts {
  return {
    completed: 0,
    cancelled: 0,
    failed: 0,
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    costs: {},
  };
}

/** Adds one turn. One that has not ended counts for nothing. */
export function addTurn(facts: UsageFacts, turn: { state: string; usage: string | null }): void {
  const { state, usage } = turn;
  if (state === "completed" || state === "cancelled" || state === "failed") facts[state] += 1;
  if (usage === null) return;
  const {
    inputTokens = 0,
    outputTokens = 0,
    totalTokens = 0,
    cost,
  } = JSON.parse(usage) as TurnUsage;
  facts.inputTokens += inputTokens;
  facts.outputTokens += outputTokens;
  facts.totalTokens += totalTokens;
  if (cost) facts.costs[cost.currency] = (facts.costs[cost.currency] ?? 0) + cost.amount;
}

export function addFacts(facts: UsageFacts, more: UsageFacts): void {
  for (const name of [
    "completed",
    "cancelled",
    "failed",
    "inputTokens",
    "outputTokens",
    "totalTokens",
  ] as const) {
    facts[name] += more[name];
  }
  for (const [currency, amount] of Object.entries(more.costs)) {
    facts.costs[currency] = (facts.costs[currency] ?? 0) + amount;
  }
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Keeps what turns used whose rows are about to be removed. */
export function rollUpUsageInWrite(
  sqlite: Sqlite,
  sessionId: string,
  promptIds: readonly string[],
): void {
  const session = prepareCached(sqlite, "SELECT agent FROM Session WHERE sessionId = ?").get(
    sessionId,
  ) as { agent: string } | undefined;
  if (!session || promptIds.length === 0) return;
  const rows = prepareCached(
    sqlite,
    `SELECT state, usage, endedAt FROM Prompt WHERE sessionId = ?
       AND promptId IN (SELECT value FROM json_each(?)) AND endedAt IS NOT NULL`,
  ).all(sessionId, JSON.stringify(promptIds)) as {
    state: string;
    usage: string | null;
    endedAt: number;
  }[];
  const byDay = new Map<string, UsageFacts>();
  for (const row of rows) {
    const day = dayOf(row.endedAt);
    const facts = byDay.get(day) ?? noUsage();
    byDay.set(day, facts);
    addTurn(facts, row);
  }
  for (const [day, facts] of byDay) {
    saveRollup(sqlite, { sessionId, agent: session.agent, day }, facts);
  }
}

function saveRollup(
  sqlite: Sqlite,
  key: { sessionId: string; agent: string; day: string },
  facts: UsageFacts,
): void {
  const known = prepareCached(
    sqlite,
    "SELECT facts FROM UsageRollup WHERE sessionId = ? AND agent = ? AND day = ?",
  ).get(key.sessionId, key.agent, key.day) as { facts: string } | undefined;
  if (known) addFacts(facts, JSON.parse(known.facts) as UsageFacts);
  prepareCached(
    sqlite,
    "INSERT OR REPLACE INTO UsageRollup (sessionId, agent, day, facts) VALUES (?, ?, ?, ?)",
  ).run(key.sessionId, key.agent, key.day, JSON.stringify(facts));
}
