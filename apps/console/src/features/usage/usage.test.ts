import type { UsageRow } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { usageCsv } from "./usage-csv.ts";
import { byTurns, everyDay, meanWaitMs, rangeOf, totalOf } from "./usage-days.ts";

function row(key: string, completed: number, change: Partial<UsageRow> = {}): UsageRow {
  return {
    key,
    turns: { completed, cancelled: 1, failed: 0 },
    tokens: { input: 10, output: 5, total: 15 },
    costs: [{ currency: "USD", amount: 0.5 }],
    approvals: { count: 2, waitMs: 3_000, maxWaitMs: 2_000 },
    crashes: 0,
    ...change,
  };
}

test("a range ends with today and has whole days of UTC", () => {
  expect(rangeOf(7, Date.parse("2026-03-10T23:59:59.999Z"))).toEqual({
    from: "2026-03-04T00:00:00.000Z",
    to: "2026-03-11T00:00:00.000Z",
  });
});

test("days without a row are days on which nothing happened", () => {
  const range = rangeOf(7, Date.parse("2026-03-10T12:00:00.000Z"));
  const days = everyDay([row("2026-03-05", 3)], range);
  expect(days.map((day) => day.key)).toEqual([
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
    "2026-03-09",
    "2026-03-10",
  ]);
  expect(days.map((day) => day.turns.completed)).toEqual([0, 3, 0, 0, 0, 0, 0]);
});

test("a total adds up, the longest wait stays the longest, and currencies stay apart", () => {
  const euros = { costs: [{ currency: "EUR", amount: 2 }], crashes: 4 };
  const long = { approvals: { count: 1, waitMs: 9_000, maxWaitMs: 9_000 } };
  expect(totalOf([row("a", 1), row("b", 2, euros), row("c", 3, long)])).toEqual({
    key: "total",
    turns: { completed: 6, cancelled: 3, failed: 0 },
    tokens: { input: 30, output: 15, total: 45 },
    costs: [
      { currency: "EUR", amount: 2 },
      { currency: "USD", amount: 1 },
    ],
    approvals: { count: 5, waitMs: 15_000, maxWaitMs: 9_000 },
    crashes: 4,
  });
  expect(totalOf([]).turns).toEqual({ completed: 0, cancelled: 0, failed: 0 });
});

test("the mean wait is told only where something waited", () => {
  expect(meanWaitMs(row("a", 1))).toBe(1_500);
  expect(meanWaitMs({ approvals: { count: 0, waitMs: 0, maxWaitMs: 0 } })).toBeNull();
});

test("those that did most come first, and equal ones in the order of their keys", () => {
  const sorted = byTurns([row("b", 1), row("c", 5), row("a", 1)]);
  expect(sorted.map(({ key }) => key)).toEqual(["c", "a", "b"]);
});

test("the file has a column for each currency, and no cell that a spreadsheet would run", () => {
  const rows = [row("plain", 1), row('=1+1,"x"', 2, { costs: [] }), row("-b", 0)];
  expect(usageCsv(rows, "session", ["EUR", "USD"])).toBe(
    [
      "session,turns_completed,turns_cancelled,turns_failed,tokens_input,tokens_output,tokens_total,cost_EUR,cost_USD,approvals,approval_wait_ms,approval_max_wait_ms,crashes",
      "plain,1,1,0,10,5,15,0,0.5,2,3000,2000,0",
      `"'=1+1,""x""",2,1,0,10,5,15,0,0,2,3000,2000,0`,
      "'-b,0,1,0,10,5,15,0,0.5,2,3000,2000,0",
      "",
    ].join("\r\n"),
  );
});
