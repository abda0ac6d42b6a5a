"use client";

import type { UsageRow } from "@signalbox/protocol";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatDuration } from "../../lib/duration.ts";
import { moneyText } from "../../lib/money-text.ts";
import { countText } from "./count-text.ts";
import { amountOf, meanWaitMs, type UsageBy } from "./usage-days.ts";

/** More bars than that cannot be told apart; the table has all. */
const MAX_BARS = 24;

interface Part {
  name: string;
  colour: string;
  of: (row: UsageRow) => number;
}

interface ChartSpec {
  title: string;
  parts: readonly Part[];
  text: (value: number) => string;
  /** Whether the parts add up to a whole. */
  isStacked: boolean;
}

function chartsOf(currencies: readonly string[]): ChartSpec[] {
  return [
    {
      title: "Turns",
      isStacked: true,
      text: countText,
      parts: [
        { name: "Completed", colour: "var(--accent)", of: (row) => row.turns.completed },
        { name: "Cancelled", colour: "var(--faint)", of: (row) => row.turns.cancelled },
        { name: "Failed", colour: "var(--danger)", of: (row) => row.turns.failed },
      ],
    },
    {
      title: "Tokens",
      isStacked: true,
      text: countText,
      parts: [
        { name: "In", colour: "var(--accent)", of: (row) => row.tokens.input },
        { name: "Out", colour: "var(--info)", of: (row) => row.tokens.output },
        {
          name: "Not told apart",
          colour: "var(--faint)",
          of: ({ tokens }) => Math.max(0, tokens.total - tokens.input - tokens.output),
        },
      ],
    },
    ...currencies.map((currency) => ({
      title: `Cost in ${currency}`,
      isStacked: true,
      text: (value: number) => moneyText(value, currency) ?? `${value}`,
      parts: [
        { name: "Cost", colour: "var(--success)", of: (row: UsageRow) => amountOf(row, currency) },
      ],
    })),
    {
      title: "Approval wait",
      isStacked: false,
      text: formatDuration,
      parts: [
        { name: "Mean", colour: "var(--warning)", of: (row) => meanWaitMs(row) ?? 0 },
        { name: "Longest", colour: "var(--faint)", of: (row) => row.approvals.maxWaitMs },
      ],
    },
    {
      title: "Crashes",
      isStacked: true,
      text: countText,
      parts: [{ name: "Crashes", colour: "var(--danger)", of: (row) => row.crashes }],
    },
  ];
}

/** The figures as bars. For whoever does not see them the table beside them says the same. */
export function UsageCharts({
  rows,
  by,
  currencies,
}: {
  rows: readonly UsageRow[];
  by: UsageBy;
  currencies: readonly string[];
}) {
  const shown = by === "day" ? rows : rows.slice(0, MAX_BARS);
  // A chart of nothing but zeros would say less than the figure above it.
  const charts = chartsOf(currencies).filter((chart) => partsShown(chart, shown).length > 0);
  return (
    <div aria-hidden className="grid gap-4 lg:grid-cols-2">
      {charts.map((chart) => (
        <figure key={chart.title} className="min-w-0 rounded-lg border bg-surface p-4">
          <figcaption className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <span className="font-semibold">{chart.title}</span>
            <Legend chart={chart} rows={shown} />
          </figcaption>
          <Bars chart={chart} rows={shown} by={by} />
        </figure>
      ))}
      {shown.length < rows.length ? (
        <p className="text-muted text-xs lg:col-span-2">
          The charts show the {MAX_BARS} with the most turns; the table shows all {rows.length}.
        </p>
      ) : null}
    </div>
  );
}

function partsShown(chart: ChartSpec, rows: readonly UsageRow[]): readonly Part[] {
  return chart.parts.filter((part) => rows.some((row) => part.of(row) > 0));
}

function Legend({ chart, rows }: { chart: ChartSpec; rows: readonly UsageRow[] }) {
  const parts = partsShown(chart, rows);
  if (parts.length < 2) return null;
  return (
    <span className="ml-auto flex gap-3 text-muted text-xs">
      {parts.map(({ name, colour }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <span className="size-2 rounded-[2px]" style={{ background: colour }} />
          {name}
        </span>
      ))}
    </span>
  );
}

function Bars({ chart, rows, by }: { chart: ChartSpec; rows: readonly UsageRow[]; by: UsageBy }) {
  const axis = { stroke: "var(--border)", tick: { fill: "var(--muted)", fontSize: 11 } };
  return (
    <ResponsiveContainer width="100%" height={180}>
      <BarChart
        data={[...rows]}
        accessibilityLayer={false}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="20%"
      >
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis
          {...axis}
          dataKey="key"
          tickLine={false}
          minTickGap={16}
          tickFormatter={(key: string) => (by === "day" ? dayText(key) : shortText(key))}
        />
        <YAxis
          {...axis}
          axisLine={false}
          tickLine={false}
          width={56}
          allowDecimals={chart.title.startsWith("Cost")}
          tickFormatter={chart.text}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--hover)" }}
          formatter={(value) => chart.text(Number(value))}
          labelClassName="font-medium"
          contentStyle={{
            background: "var(--raised)",
            border: "1px solid var(--border)",
            borderRadius: 6,
            fontSize: 12,
          }}
        />
        {partsShown(chart, rows).map(({ name, colour, of }) => (
          <Bar
            key={name}
            name={name}
            dataKey={of}
            fill={colour}
            isAnimationActive={false}
            maxBarSize={40}
            {...(chart.isStacked ? { stackId: "all" } : {})}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function dayText(key: string): string {
  const atMs = Date.parse(key);
  return Number.isNaN(atMs) ? key : day.format(atMs);
}

function shortText(key: string): string {
  return key.length > 14 ? `${key.slice(0, 13)}…` : key;
}
