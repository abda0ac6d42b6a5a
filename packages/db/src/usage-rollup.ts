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
  /** Permission requests that ended, and how long they waited together and at most. */
  approvals: number;
  approvalWaitMs: number;
  maxApprovalWaitMs: number;
  /** Adapters that ended unasked. */
  crashes: number;
}

export interface AddedCost {
  readonly amount: number;
  readonly currency: string;
}

/** A turn's own usage, as `Prompt.usage` keeps it. */
export interface TurnUsage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  /** Amounts by currency. */
  costs?: Record<string, number>;
  /** Older rows have one currency. */
  cost?: AddedCost;
}

export function noUsage(): UsageFacts {
  return {
    completed: 0,
    cancelled: 0,
    failed: 0,
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    costs: noCosts(),
    approvals: 0,
    approvalWaitMs: 0,
    maxApprovalWaitMs: 0,
    crashes: 0,
  };
}

/** Currencies are whatever agents call them, so no name may have a meaning of its own. */
function noCosts(): Record<string, number> {
  return Object.create(null);
}

function addAmounts(costs: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [currency, amount] of Object.entries(more)) {
    costs[currency] = (costs[currency] ?? 0) + amount;
  }
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
    costs = {},
    cost,
  } = JSON.parse(usage) as TurnUsage;
  facts.inputTokens += inputTokens;
  facts.outputTokens += outputTokens;
  facts.totalTokens += totalTokens;
  addAmounts(facts.costs, costs);
  if (cost) addAmounts(facts.costs, { [cost.currency]: cost.amount });
}

/** Adds what was kept; older rows lack some of the facts. */
export function addFacts(facts: UsageFacts, more: Partial<UsageFacts>): void {
  for (const name of SUMS) facts[name] += more[name] ?? 0;
  facts.maxApprovalWaitMs = Math.max(facts.maxApprovalWaitMs, more.maxApprovalWaitMs ?? 0);
  addAmounts(facts.costs, more.costs ?? {});
}

const SUMS = [
  "completed",
  "cancelled",
  "failed",
  "inputTokens",
  "outputTokens",
  "totalTokens",
  "approvals",
  "approvalWaitMs",
  "crashes",
] as const satisfies readonly (keyof UsageFacts)[];

/** Adds a permission request that ended. */
export function addApproval(facts: UsageFacts, waitMs: number): void {
  facts.approvals += 1;
  facts.approvalWaitMs += waitMs;
  facts.maxApprovalWaitMs = Math.max(facts.maxApprovalWaitMs, waitMs);
}

/** The session's permission requests that ended. */
export function approvalsOf(
  sqlite: Sqlite,
  sessionId: string,
): { requestedAt: number; resolvedAt: number }[] {
  return prepareCached(
    sqlite,
    `SELECT requestedAt, resolvedAt FROM Permission
     WHERE sessionId = ? AND state IN ('decided', 'ended') AND resolvedAt IS NOT NULL`,
  ).all(sessionId) as { requestedAt: number; resolvedAt: number }[];
}

/** When the session's adapters ended unasked; `before` leaves out what a cut of history keeps. */
export function crashesOf(
  sqlite: Sqlite,
  sessionId: string,
  before = Number.MAX_SAFE_INTEGER,
): number[] {
  const rows = prepareCached(
    sqlite,
    `SELECT timestamp FROM Event INDEXED BY Event_crash
     WHERE sessionId = ? AND type = '_signalbox/adapter_exited' AND sequence < ?`,
  ).all(sessionId, before) as { timestamp: number }[];
  return rows.map(({ timestamp }) => timestamp);
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** In the transaction of the update that told of it, so that no end of any kind can lose it. */
export function addCostInWrite(
  sqlite: Sqlite,
  of: { sessionId: string; promptId: string | null; timestamp: number },
  { amount, currency }: AddedCost,
): void {
  const turn = prepareCached(
    sqlite,
    "SELECT usage FROM Prompt WHERE sessionId = ? AND promptId = ?",
  ).get(of.sessionId, of.promptId) as { usage: string | null } | undefined;
  if (!turn) {
    const days = new DaySums();
    addAmounts(days.at(of.timestamp).costs, { [currency]: amount });
    days.saveInWrite(sqlite, of.sessionId);
    return;
  }
  const usage = JSON.parse(turn.usage ?? "{}") as TurnUsage;
  const costs = noCosts();
  addAmounts(costs, usage.costs ?? {});
  addAmounts(costs, { [currency]: amount });
  prepareCached(sqlite, "UPDATE Prompt SET usage = ? WHERE sessionId = ? AND promptId = ?").run(
    JSON.stringify({ ...usage, costs }),
    of.sessionId,
    of.promptId,
  );
}

/** Keeps what turns used whose rows are about to be removed. */
export function rollUpUsageInWrite(
  sqlite: Sqlite,
  sessionId: string,
  promptIds: readonly string[],
): void {
  if (promptIds.length === 0) return;
  const rows = prepareCached(
    sqlite,
    `SELECT state, usage, endedAt FROM Prompt WHERE sessionId = ?
       AND promptId IN (SELECT value FROM json_each(?)) AND endedAt IS NOT NULL`,
  ).all(sessionId, JSON.stringify(promptIds)) as {
    state: string;
    usage: string | null;
    endedAt: number;
  }[];
  const days = new DaySums();
  for (const row of rows) addTurn(days.at(row.endedAt), row);
  days.saveInWrite(sqlite, sessionId);
}

/** Keeps how often adapters ended unasked by events that are about to be removed. */
export function rollUpCrashesInWrite(sqlite: Sqlite, sessionId: string, before: number): void {
  const days = new DaySums();
  for (const timestamp of crashesOf(sqlite, sessionId, before)) days.at(timestamp).crashes += 1;
  days.saveInWrite(sqlite, sessionId);
}

/** Keeps what a session came to that is about to be removed. */
export function rollUpSessionInWrite(sqlite: Sqlite, sessionId: string): void {
  const prompts = prepareCached(sqlite, "SELECT promptId FROM Prompt WHERE sessionId = ?").all(
    sessionId,
  ) as { promptId: string }[];
  rollUpUsageInWrite(
    sqlite,
    sessionId,
    prompts.map(({ promptId }) => promptId),
  );
  rollUpCrashesInWrite(sqlite, sessionId, Number.MAX_SAFE_INTEGER);
  const days = new DaySums();
  for (const { requestedAt, resolvedAt } of approvalsOf(sqlite, sessionId)) {
    addApproval(days.at(resolvedAt), resolvedAt - requestedAt);
  }
  days.saveInWrite(sqlite, sessionId);
}

class DaySums {
  readonly #days = new Map<string, UsageFacts>();

  at(ms: number): UsageFacts {
    const day = dayOf(ms);
    const facts = this.#days.get(day) ?? noUsage();
    this.#days.set(day, facts);
    return facts;
  }

  saveInWrite(sqlite: Sqlite, sessionId: string): void {
    if (this.#days.size === 0) return;
    const session = prepareCached(sqlite, "SELECT agent FROM Session WHERE sessionId = ?").get(
      sessionId,
    ) as { agent: string } | undefined;
    if (!session) return;
    for (const [day, facts] of this.#days) {
      saveRollup(sqlite, { sessionId, agent: session.agent, day }, facts);
    }
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
  if (known) addFacts(facts, JSON.parse(known.facts) as Partial<UsageFacts>);
  prepareCached(
    sqlite,
    "INSERT OR REPLACE INTO UsageRollup (sessionId, agent, day, facts) VALUES (?, ?, ?, ?)",
  ).run(key.sessionId, key.agent, key.day, JSON.stringify(facts));
}
