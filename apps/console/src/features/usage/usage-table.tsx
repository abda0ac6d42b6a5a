import type { UsageRow } from "@signalbox/protocol";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatDuration } from "../../lib/duration.ts";
import { moneyText } from "../../lib/money-text.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { meanWaitMs, type UsageBy } from "./usage-days.ts";

const KEY: Readonly<Record<UsageBy, string>> = { day: "Day", agent: "Agent", session: "Session" };

/** Every figure of the charts, exactly. */
export function UsageTable({
  rows,
  total,
  by,
}: {
  rows: readonly UsageRow[];
  total: UsageRow;
  by: UsageBy;
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it keys could not scroll the box
      tabIndex={0}
      aria-label="Usage table"
      className="overflow-x-auto rounded-lg border bg-surface -outline-offset-2"
    >
      <table className="w-full text-right tabular-nums">
        <thead className="text-muted text-xs [&_th]:whitespace-nowrap [&_th]:px-3 [&_th]:py-2 [&_th]:font-medium">
          <tr>
            <th scope="col" className="text-left">
              {KEY[by]}
            </th>
            <th scope="col">Completed</th>
            <th scope="col">Cancelled</th>
            <th scope="col">Failed</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Tokens out</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">Requests</th>
            <th scope="col">Mean wait</th>
            <th scope="col">Longest wait</th>
            <th scope="col">Crashes</th>
          </tr>
        </thead>
        <tbody className="divide-y border-y">
          {rows.map((row) => (
            <Line key={row.key} row={row} name={nameOf(row.key, by)} />
          ))}
        </tbody>
        <tfoot className="font-medium">
          <Line row={total} name="Total" />
        </tfoot>
      </table>
    </section>
  );
}

function nameOf(key: string, by: UsageBy): ReactNode {
  if (by !== "session") return key;
  return (
    <Link href={sessionHref(key)} prefetch={false} className="hover:underline">
      {key}
    </Link>
  );
}

function Line({ row, name }: { row: UsageRow; name: ReactNode }) {
  const mean = meanWaitMs(row);
  const cells = [
    row.turns.completed.toLocaleString("en"),
    row.turns.cancelled.toLocaleString("en"),
    row.turns.failed.toLocaleString("en"),
    row.tokens.input.toLocaleString("en"),
    row.tokens.output.toLocaleString("en"),
    row.tokens.total.toLocaleString("en"),
    row.costs
      .map(({ amount, currency }) => moneyText(amount, currency) ?? `${amount} ${currency}`)
      .join(" + ") || "–",
    row.approvals.count.toLocaleString("en"),
    mean === null ? "–" : formatDuration(mean),
    row.approvals.count === 0 ? "–" : formatDuration(row.approvals.maxWaitMs),
    row.crashes.toLocaleString("en"),
  ];
  return (
    <tr className="hover:bg-hover">
      <th scope="row" className="max-w-72 truncate px-3 py-1.5 text-left font-normal">
        {name}
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <td key={index} className="whitespace-nowrap px-3 py-1.5">
          {cell}
        </td>
      ))}
    </tr>
  );
}
