"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { Plus, SearchX } from "lucide-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { type SessionList, useSessions } from "../../lib/fleet.tsx";
import type { SessionFilter } from "../../lib/fleet-cache.ts";
import { useSeenSessions } from "../../lib/use-last-seen.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { filterOfParams, isFiltered, paramsOfFilter } from "./filter-params.ts";
import { FirstRun } from "./first-run.tsx";
import { SessionCards } from "./session-cards.tsx";
import { SessionFilters } from "./session-filters.tsx";
import { SessionTable, SessionTableSkeleton } from "./session-table.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import { ViewBar } from "./view-bar.tsx";

/** All sessions, live, with a filter that lives in the address. */
export function SessionsPage() {
  const pathname = usePathname();
  const filter = filterOfParams(new URLSearchParams(useSearchParams()));
  const list = useSessions(filter);
  const setFilter = (next: SessionFilter) => {
    window.history.replaceState(null, "", `${pathname}${paramsOfFilter(next)}`);
  };
  const isFirstRun = !list.isLoading && !isFiltered(filter) && list.sessions.length === 0;
  return (
    <Page
      title="Sessions"
      actions={
        isFirstRun ? null : (
          <Button asChild variant="primary" className="max-md:hidden">
            <Link href="/sessions/new">
              <Plus aria-hidden />
              New session
            </Link>
          </Button>
        )
      }
      toolbar={
        isFirstRun ? undefined : (
          <>
            <SessionFilters filter={filter} onChange={setFilter} />
            <ViewBar filter={filter} onChange={setFilter} />
          </>
        )
      }
    >
      <SessionsBody list={list} filter={filter} onClear={() => setFilter({})} />
    </Page>
  );
}

type BodyProps = { list: SessionList; filter: SessionFilter; onClear: () => void };

function SessionsBody({ list, filter, onClear }: BodyProps) {
  const { sessions, isLoading, error } = list;
  if (sessions.length === 0 && error !== null) {
    return <ErrorPanel error={error} onRetry={list.refetch} />;
  }
  if (isLoading) return <SessionTableSkeleton />;
  if (sessions.length === 0 && isFiltered(filter)) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="No session matches"
        actions={<Button onClick={onClear}>Clear the filter</Button>}
      >
        Sessions exist only outside this filter.
      </EmptyState>
    );
  }
  if (sessions.length === 0) return <FirstRun />;
  return (
    <>
      <SessionRows sessions={sessions} />
      <ListEnd list={list} />
    </>
  );
}

function SessionRows({ sessions }: { sessions: SessionInfo[] }) {
  const seen = useSeenSessions();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = (sessionId: string) =>
    setSelected((old) => {
      const next = new Set(old);
      if (!next.delete(sessionId)) next.add(sessionId);
      return next;
    });
  useRowKeys(toggle);
  const selection = { selected, toggle };
  // What is no longer in the list is not acted on unseen.
  const chosen = sessions.filter(({ sessionId }) => selected.has(sessionId));
  return (
    <>
      <BulkBar sessions={chosen} onClear={() => setSelected(new Set())} />
      <SessionTable {...{ sessions, seen, selection }} />
      <SessionCards {...{ sessions, seen, selection }} />
    </>
  );
}

function ListEnd({ list }: { list: SessionList }) {
  const count = list.sessions.length;
  return (
    <div className="flex items-center justify-between gap-3 pt-3 text-muted">
      <p>
        {count} {count === 1 ? "session" : "sessions"}
        {list.hasMore ? " shown" : ""}
      </p>
      {list.hasMore ? (
        <Button onClick={list.loadMore} disabled={list.isLoadingMore}>
          {list.isLoadingMore ? "Loading…" : "Load more"}
        </Button>
      ) : null}
    </div>
  );
}
