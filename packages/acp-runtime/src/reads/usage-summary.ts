import { readUsage, type UsageFacts } from "@signalbox/db";
import type { UsageQuery, UsageRow, UsageSummary } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";

const KEY_OF = {
  agent: ({ agent }: { agent: string }) => agent,
  session: ({ sessionId }: { sessionId: string }) => sessionId,
  day: ({ day }: { day: string }) => day,
};

/** Turns, tokens, cost, waits and crashes of a range of time, from storage alone. */
export async function usageSummary(
  deps: Pick<RuntimeDeps, "db">,
  { from, to, by }: UsageQuery,
): Promise<UsageSummary> {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  const sums = await readUsage(deps.db, range, KEY_OF[by]);
  const rows = [...sums].map(([key, facts]) => rowOf(key, facts));
  return { rows: rows.sort((a, b) => compare(a.key, b.key)) };
}

function rowOf(key: string, facts: UsageFacts): UsageRow {
  const { completed, cancelled, failed } = facts;
  return {
    key,
    turns: { completed, cancelled, failed },
    tokens: { input: facts.inputTokens, output: facts.outputTokens, total: facts.totalTokens },
    costs: Object.entries(facts.costs)
      .map(([currency, amount]) => ({ currency, amount: rounded(amount) }))
      .sort((a, b) => compare(a.currency, b.currency)),
    approvals: {
      count: facts.approvals,
      waitMs: facts.approvalWaitMs,
      maxWaitMs: facts.maxApprovalWaitMs,
    },
    crashes: facts.crashes,
  };
}

/** Sums of decimal fractions without the dust of binary ones. */
function rounded(amount: number): number {
  return Number(amount.toFixed(9));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
