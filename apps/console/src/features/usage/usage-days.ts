/** The range that is asked for and the days in it. Days are UTC's, as the server counts them. */
import type { UsageQuery, UsageRow } from "@signalbox/protocol";

const DAY_MS = 24 * 60 * 60_000;

export const RANGES = [7, 30, 90] as const;
export type RangeDays = (typeof RANGES)[number];

export type UsageBy = UsageQuery["by"];

/** The last `days` days, today among them. */
export function rangeOf(days: RangeDays, nowMs: number): { from: string; to: string } {
  const tomorrowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  return {
    from: new Date(tomorrowMs - days * DAY_MS).toISOString(),
    to: new Date(tomorrowMs).toISOString(),
  };
}

const NOTHING: Omit<UsageRow, "key"> = {
  turns: { completed: 0, cancelled: 0, failed: 0 },
  tokens: { input: 0, output: 0, total: 0 },
  costs: [],
  approvals: { count: 0, waitMs: 0, maxWaitMs: 0 },
  crashes: 0,
};

/** One row for each day of the range: a day without a row is a day on which nothing happened. */
export function everyDay(
  rows: readonly UsageRow[],
  { from, to }: { from: string; to: string },
): UsageRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days: UsageRow[] = [];
  for (let atMs = Date.parse(from); atMs < Date.parse(to); atMs += DAY_MS) {
    const key = new Date(atMs).toISOString().slice(0, 10);
    days.push(known.get(key) ?? { key, ...NOTHING });
  }
  return days;
}

export function turnsOf({ turns }: Pick<UsageRow, "turns">): number {
  return turns.completed + turns.cancelled + turns.failed;
}

/** All rows as one. Amounts of different currencies stay apart. */
export function totalOf(rows: readonly UsageRow[]): UsageRow {
  const costs = new Map<string, number>();
  const total: UsageRow = structuredClone({ key: "total", ...NOTHING });
  for (const row of rows) {
    total.turns.completed += row.turns.completed;
    total.turns.cancelled += row.turns.cancelled;
    total.turns.failed += row.turns.failed;
    total.tokens.input += row.tokens.input;
    total.tokens.output += row.tokens.output;
    total.tokens.total += row.tokens.total;
    total.approvals.count += row.approvals.count;
    total.approvals.waitMs += row.approvals.waitMs;
    total.approvals.maxWaitMs = Math.max(total.approvals.maxWaitMs, row.approvals.maxWaitMs);
    total.crashes += row.crashes;
    for (const { currency, amount } of row.costs) {
      costs.set(currency, (costs.get(currency) ?? 0) + amount);
    }
  }
  total.costs = [...costs]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return total;
}

/** Null where nothing waited. */
export function meanWaitMs({ approvals }: Pick<UsageRow, "approvals">): number | null {
  return approvals.count === 0 ? null : approvals.waitMs / approvals.count;
}

export function amountOf(row: Pick<UsageRow, "costs">, currency: string): number {
  return row.costs.find((cost) => cost.currency === currency)?.amount ?? 0;
}

/** Those that did most first. */
export function byTurns(rows: readonly UsageRow[]): UsageRow[] {
  return rows.toSorted((a, b) => turnsOf(b) - turnsOf(a) || (a.key < b.key ? -1 : 1));
}
