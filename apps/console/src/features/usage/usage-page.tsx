"use client";

import type { UsageRow } from "@signalbox/protocol";
import { useQuery } from "@tanstack/react-query";
import { ChartColumn, Download } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Select } from "../../components/ui/select.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useToday } from "../../lib/clock.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { usageCsv } from "./usage-csv.ts";
import {
  byTurns,
  everyDay,
  RANGES,
  type RangeDays,
  rangeOf,
  totalOf,
  type UsageBy,
} from "./usage-days.ts";
import { UsageFigures } from "./usage-figures.tsx";
import { UsageTable } from "./usage-table.tsx";

/** Only this page needs charts, and they are heavy. */
const UsageCharts = dynamic(
  () => import("./usage-charts.tsx").then((module) => module.UsageCharts),
  {
    ssr: false,
    loading: () => <Skeleton className="h-56" />,
  },
);

const GROUPS: Readonly<Record<UsageBy, string>> = {
  day: "By day",
  agent: "By agent",
  session: "By session",
};

/** What agents used, as they told it, and what people had to do for them. */
export function UsagePage() {
  const pathname = usePathname();
  const params = useSearchParams();
  const trpc = useTRPC();
  const days = RANGES.find((range) => `${range}` === params.get("days")) ?? 30;
  const by = isGroup(params.get("by")) ?? "day";
  const todayMs = useToday();
  const range = useMemo(() => rangeOf(days, todayMs), [days, todayMs]);
  const query = useQuery(trpc.usage.summary.queryOptions({ ...range, by }, { staleTime: 0 }));
  const choose = (next: { days: RangeDays; by: UsageBy }) => {
    window.history.replaceState(null, "", `${pathname}?by=${next.by}&days=${next.days}`);
  };
  const rows = useMemo(() => {
    const told = query.data?.rows ?? [];
    return by === "day" ? everyDay(told, range) : byTurns(told);
  }, [query.data, by, range]);
  return (
    <Page
      title="Usage"
      actions={
        <>
          <Select
            aria-label="Grouped"
            value={by}
            onChange={({ target }) => choose({ days, by: isGroup(target.value) ?? by })}
          >
            {Object.entries(GROUPS).map(([group, words]) => (
              <option key={group} value={group}>
                {words}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Range"
            value={days}
            onChange={({ target }) =>
              choose({ by, days: RANGES.find((range) => `${range}` === target.value) ?? days })
            }
          >
            {RANGES.map((range) => (
              <option key={range} value={range}>
                {range} days
              </option>
            ))}
          </Select>
        </>
      }
    >
      {query.data !== undefined ? (
        <Usage rows={rows} isEmpty={query.data.rows.length === 0} by={by} days={days} />
      ) : query.error !== null ? (
        <ErrorPanel
          error={query.error}
          onRetry={() => void query.refetch().catch(() => undefined)}
        />
      ) : (
        <div role="status" aria-label="Loading the usage" className="space-y-4">
          <Skeleton className="h-20" />
          <Skeleton className="h-56" />
        </div>
      )}
    </Page>
  );
}

function isGroup(word: string | null): UsageBy | null {
  return word === "day" || word === "agent" || word === "session" ? word : null;
}

function Usage({
  rows,
  isEmpty,
  by,
  days,
}: {
  rows: UsageRow[];
  isEmpty: boolean;
  by: UsageBy;
  days: RangeDays;
}) {
  const total = useMemo(() => totalOf(rows), [rows]);
  const currencies = total.costs.map(({ currency }) => currency);
  if (isEmpty) {
    return (
      <EmptyState icon={<ChartColumn aria-hidden />} title="Nothing was used">
        In the last {days} days no turn has ended. Once one has, its tokens, its cost and how long
        its requests waited are here, as the agent tells them.
      </EmptyState>
    );
  }
  return (
    <div className="space-y-6">
      <UsageFigures total={total} />
      <UsageCharts rows={rows} by={by} currencies={currencies} />
      <section aria-labelledby="usage-table" className="space-y-2">
        <div className="flex items-center gap-3">
          <h2 id="usage-table" className="font-semibold text-base">
            The same as a table
          </h2>
          <Button
            size="sm"
            className="ml-auto"
            onClick={() =>
              saveFile(
                `usage-by-${by}-${days}-days.csv`,
                "text/csv",
                usageCsv(rows, by, currencies),
              )
            }
          >
            <Download aria-hidden />
            CSV
          </Button>
        </div>
        <UsageTable rows={rows} total={total} by={by} />
      </section>
      <p className="text-muted text-xs">
        Tokens and costs are as agents report them; an agent that reports none counts as none. Days
        begin at midnight UTC.
      </p>
    </div>
  );
}
