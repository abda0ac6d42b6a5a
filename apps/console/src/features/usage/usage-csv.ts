/** The table of usage as a file for spreadsheets (RFC 4180). */
import type { UsageRow } from "@signalbox/protocol";
import { amountOf, type UsageBy } from "./usage-days.ts";

/** @param currencies in the order of their columns */
export function usageCsv(
  rows: readonly UsageRow[],
  by: UsageBy,
  currencies: readonly string[],
): string {
  const head = [
    by,
    "turns_completed",
    "turns_cancelled",
    "turns_failed",
    "tokens_input",
    "tokens_output",
    "tokens_total",
    ...currencies.map((currency) => `cost_${currency}`),
    "approvals",
    "approval_wait_ms",
    "approval_max_wait_ms",
    "crashes",
  ];
  const lines = rows.map((row) => [
    row.key,
    row.turns.completed,
    row.turns.cancelled,
    row.turns.failed,
    row.tokens.input,
    row.tokens.output,
    row.tokens.total,
    ...currencies.map((currency) => amountOf(row, currency)),
    row.approvals.count,
    row.approvals.waitMs,
    row.approvals.maxWaitMs,
    row.crashes,
  ]);
  return [head, ...lines].map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("");
}

/** A spreadsheet runs text that begins like a formula, so such text gets an apostrophe first. */
function cellText(cell: string | number): string {
  if (typeof cell === "number") return `${cell}`;
  const text = /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
