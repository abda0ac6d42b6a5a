import type { UsageRow } from "@signalbox/protocol";
import { formatDuration } from "../../lib/duration.ts";
import { moneyText } from "../../lib/money-text.ts";
import { countText } from "./count-text.ts";
import { meanWaitMs, turnsOf } from "./usage-days.ts";

/** The whole range in a few figures. */
export function UsageFigures({ total }: { total: UsageRow }) {
  const mean = meanWaitMs(total);
  const { cancelled, failed } = total.turns;
  const figures = [
    {
      name: "Turns",
      value: countText(turnsOf(total)),
      tells: `${countText(failed)} failed, ${countText(cancelled)} cancelled`,
    },
    {
      name: "Tokens",
      value: countText(total.tokens.total),
      tells: `${countText(total.tokens.input)} in, ${countText(total.tokens.output)} out`,
    },
    {
      name: "Cost",
      value:
        total.costs
          .map(({ amount, currency }) => moneyText(amount, currency) ?? `${amount} ${currency}`)
          .join(" + ") || "none reported",
      tells: "as reported",
    },
    {
      name: "Approval wait",
      value: mean === null ? "no request" : formatDuration(mean),
      tells:
        mean === null
          ? "nothing was asked"
          : `mean of ${countText(total.approvals.count)}, at most ${formatDuration(total.approvals.maxWaitMs)}`,
    },
    {
      name: "Crashes",
      value: countText(total.crashes),
      tells: "agents that ended unasked",
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(({ name, value, tells }) => (
        <div key={name} className="bg-surface px-4 py-3 last:max-lg:col-span-full">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="mt-0.5 font-semibold text-lg tabular-nums tracking-tight">{value}</dd>
          <dd className="text-muted text-xs">{tells}</dd>
        </div>
      ))}
    </dl>
  );
}
