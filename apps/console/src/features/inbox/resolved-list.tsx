"use client";

import type { AuditRow } from "@signalbox/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History, ShieldCheck, ShieldQuestion, ShieldX } from "lucide-react";
import Link from "next/link";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Moment } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { cn } from "../../lib/cn.ts";
import { eventHref, sessionHref } from "../../lib/session-href.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { VisibleText } from "../session/content/visible-code.tsx";
import { type Decision, decisionOf } from "./decision-text.ts";

const PAGE_ENTRIES = 100;
/** Other acts stand between decisions: so many pages are read for one that has any. */
const MAX_PAGES_AT_ONCE = 5;

interface Decided {
  row: AuditRow;
  decision: Decision;
}

/** What was decided, newest first, as the audit log has it. */
export function ResolvedList() {
  const query = useDecisions();
  if (query.isPending) return <Skeleton className="h-36 max-w-3xl" />;
  if (query.isError && query.data === undefined) {
    return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  }
  const decided = query.data?.pages.flatMap((page) => page.decided) ?? [];
  const isEmpty = decided.length === 0 && !query.hasNextPage;
  return (
    <div className="max-w-3xl">
      {isEmpty ? (
        <EmptyState icon={<History aria-hidden />} title="Nothing was decided yet">
          Each answer to a permission request or question is listed here, whoever or whatever gave
          it.
        </EmptyState>
      ) : (
        <ol aria-label="Resolved" className="divide-y rounded-lg border bg-surface">
          {decided.map((entry) => (
            <DecidedLine key={entry.row.id} {...entry} />
          ))}
        </ol>
      )}
      {query.hasNextPage ? (
        <Button
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage().catch(() => undefined)}
        >
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      ) : null}
    </div>
  );
}

function useDecisions() {
  const client = useTRPCClient();
  return useInfiniteQuery({
    queryKey: ["decisions"],
    queryFn: async ({ pageParam, signal }) => {
      const decided: Decided[] = [];
      let cursor = pageParam;
      for (let page = 0; page < MAX_PAGES_AT_ONCE && decided.length === 0; page += 1) {
        const input = { limit: PAGE_ENTRIES, ...(cursor === null ? {} : { cursor }) };
        const { rows, nextCursor } = await client.audit.list.query(input, { signal });
        for (const row of rows) {
          const decision = decisionOf(row);
          if (decision !== null) decided.push({ row, decision });
        }
        cursor = nextCursor;
        if (cursor === null) break;
      }
      return { decided, nextCursor: cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 0,
  });
}

const ICON = { allow: ShieldCheck, reject: ShieldX, neutral: ShieldQuestion } as const;
const COLOUR = { allow: "text-success", reject: "text-danger", neutral: "text-muted" } as const;

function DecidedLine({ row, decision }: Decided) {
  const Icon = ICON[decision.tone];
  const { sessionId } = row;
  return (
    <li className="flex items-start gap-2.5 px-3 py-2.5">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", COLOUR[decision.tone])} />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-medium">
            <VisibleText text={decision.title ?? "A request"} />
          </span>
        </p>
        <p className="text-muted text-xs [overflow-wrap:anywhere]">
          <VisibleText text={decision.words} />
          {sessionId === null ? null : (
            <>
              {" · "}
              <Link
                href={
                  decision.sequence === null
                    ? sessionHref(sessionId)
                    : eventHref(sessionId, decision.sequence)
                }
                prefetch={false}
                className="font-mono hover:underline"
              >
                {sessionId}
              </Link>
            </>
          )}
        </p>
      </div>
      <Moment iso={row.timestamp} className="shrink-0 text-muted text-xs tabular-nums" />
    </li>
  );
}
