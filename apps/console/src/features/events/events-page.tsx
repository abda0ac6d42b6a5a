"use client";

import type { DurableEvent } from "@signalbox/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { eventsHref, sequenceOf, sessionHref } from "../../lib/session-href.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import { EventEntry } from "./event-entry.tsx";

const PAGE_ENTRIES = 100;

interface EventPage {
  events: DurableEvent[];
  hasMoreBefore: boolean;
  oldestSequence: number;
}

/** What is stored of a session, event by event, as the server tells it. */
export function EventsPage({ sessionId }: { sessionId: string }) {
  const pathname = usePathname();
  const params = useSearchParams();
  const type = params.get("type") ?? "";
  const from = sequenceOf(params.get("seq") ?? undefined);
  const query = useStoredEvents(sessionId, type, from);
  const pages = query.data?.pages ?? [];
  const events = pages.flatMap((page) => page.events.toReversed());
  const choose = (next: { type: string; seq: number | null }) => {
    const wanted = new URL(eventsHref(sessionId), window.location.origin).searchParams;
    if (next.type !== "") wanted.set("type", next.type);
    if (next.seq !== null) wanted.set("seq", `${next.seq}`);
    const search = wanted.size === 0 ? "" : `?${wanted}`;
    window.history.replaceState(null, "", `${pathname}${search}`);
  };
  return (
    <Page
      title={
        <>
          Events of{" "}
          <Link href={sessionHref(sessionId)} className="hover:underline [overflow-wrap:anywhere]">
            {sessionId}
          </Link>
        </>
      }
      actions={
        <>
          <Button
            size="sm"
            disabled={query.isFetching}
            onClick={() => {
              if (from === null) void query.refetch().catch(() => undefined);
              else choose({ type, seq: null });
            }}
          >
            <RefreshCw aria-hidden />
            Newest
          </Button>
          <DownloadMenu sessionId={sessionId} />
        </>
      }
      toolbar={
        <EventFilters
          key={`${type} ${from}`}
          type={type}
          from={from}
          types={[...new Set(events.map((event) => event.type))].sort()}
          onChange={choose}
        />
      }
    >
      <Events sessionId={sessionId} query={query} events={events} />
      <PageEnd query={query} oldest={pages.at(-1)?.oldestSequence ?? 1} />
    </Page>
  );
}

function useStoredEvents(sessionId: string, type: string, from: number | null) {
  const client = useTRPCClient();
  return useInfiniteQuery({
    queryKey: ["stored-events", sessionId, type, from],
    queryFn: ({ pageParam, signal }): Promise<EventPage> =>
      client.sessions.history.query(
        {
          sessionId,
          limit: PAGE_ENTRIES,
          ...(pageParam === null ? {} : { before: pageParam }),
          ...(type === "" ? {} : { types: [type] }),
        },
        { signal },
      ),
    initialPageParam: from === null ? null : from + 1,
    getNextPageParam: (last): number | null =>
      last.hasMoreBefore ? (last.events[0]?.sequence ?? null) : null,
    staleTime: 0,
  });
}

type EventsQuery = ReturnType<typeof useStoredEvents>;

function Events({
  sessionId,
  query,
  events,
}: {
  sessionId: string;
  query: EventsQuery;
  events: DurableEvent[];
}) {
  if (query.data === undefined) {
    return query.error === null ? (
      <div role="status" aria-label="Loading the events" className="space-y-2">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </div>
    ) : (
      <ErrorPanel error={query.error} onRetry={() => void query.refetch().catch(() => undefined)} />
    );
  }
  if (events.length === 0) {
    return <EmptyState title="No such event">Nothing stored matches.</EmptyState>;
  }
  return (
    <ol aria-label="Events" className="divide-y rounded-lg border bg-surface">
      {events.map((event) => (
        <EventEntry key={event.sequence} sessionId={sessionId} event={event} />
      ))}
    </ol>
  );
}

function PageEnd({ query, oldest }: { query: EventsQuery; oldest: number }) {
  if (query.data === undefined) return null;
  if (!query.hasNextPage) {
    return oldest > 1 ? (
      <p className="mt-3 text-center text-muted text-xs">
        Events before #{oldest} are no longer kept
      </p>
    ) : null;
  }
  return (
    <div className="mt-3 flex justify-center">
      <Button
        disabled={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage().catch(() => undefined)}
      >
        {query.isFetchingNextPage ? "Loading…" : "Load older"}
      </Button>
    </div>
  );
}

function EventFilters({
  type,
  from,
  types,
  onChange,
}: {
  type: string;
  from: number | null;
  types: readonly string[];
  onChange: (next: { type: string; seq: number | null }) => void;
}) {
  return (
    <search>
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          onChange({
            type: `${fields.get("type") ?? ""}`.trim(),
            seq: sequenceOf(`${fields.get("seq") ?? ""}`.trim()),
          });
        }}
      >
        <Input
          name="type"
          aria-label="Type"
          placeholder="Any type"
          list="event-types"
          autoComplete="off"
          defaultValue={type}
          className="w-64 font-mono"
        />
        <datalist id="event-types">
          {types.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <Input
          name="seq"
          aria-label="Up to event number"
          placeholder="Up to #"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={from ?? ""}
          className="w-28"
        />
        <Button type="submit">Show</Button>
      </form>
    </search>
  );
}
