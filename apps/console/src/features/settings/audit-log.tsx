"use client";

import type { AuditRow } from "@signalbox/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Moment } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { RawJson } from "../session/content/raw-json.tsx";
import { Answer } from "./answer.tsx";
import { Section } from "./section.tsx";

const PAGE_ENTRIES = 50;

/** Every decision and administrative act, newest first. */
export function AuditLog() {
  const client = useTRPCClient();
  const query = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam, signal }) =>
      client.audit.list.query(
        { limit: PAGE_ENTRIES, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 0,
  });
  return (
    <Section
      title="Audit log"
      tells="Who decided what, and who changed what. Rows are never altered; each holds the hash of the one before."
    >
      <Answer query={query}>
        {({ pages }) => (
          <>
            <ol className="divide-y rounded-lg border bg-surface">
              {pages.flatMap(({ rows }) =>
                rows.map((row) => <AuditEntry key={row.id} row={row} />),
              )}
            </ol>
            {query.hasNextPage ? (
              <Button
                className="mt-3"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage().catch(() => undefined)}
              >
                {query.isFetchingNextPage ? "Loading…" : "Load more"}
              </Button>
            ) : null}
          </>
        )}
      </Answer>
    </Section>
  );
}

const ACTOR: Readonly<Record<AuditRow["actor"]["kind"], string>> = {
  token: "token",
  login: "console",
  policy: "policy",
  system: "system",
};

function AuditEntry({ row }: { row: AuditRow }) {
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-medium font-mono text-xs">{row.action}</span>
        <span className="text-muted">{row.outcome}</span>
        {row.sessionId === null ? null : (
          <Link
            href={sessionHref(row.sessionId)}
            prefetch={false}
            className="min-w-0 truncate font-mono text-xs hover:underline"
          >
            {row.sessionId}
          </Link>
        )}
        <Moment
          iso={row.timestamp}
          className="text-muted text-xs tabular-nums sm:ml-auto sm:text-right"
        />
      </div>
      <p className="text-muted text-xs [overflow-wrap:anywhere]">
        {ACTOR[row.actor.kind]}
        {row.actor.name === ACTOR[row.actor.kind] ? null : ` ${row.actor.name}`}
        {row.address === null ? null : ` · ${row.address}`}
        {row.target === null ? null : (
          <>
            {" · "}
            <span className="font-mono">{row.target}</span>
          </>
        )}
      </p>
      {Object.keys(row.details).length === 0 ? null : (
        <div className="mt-1">
          <RawJson label="Details" value={row.details} />
        </div>
      )}
    </li>
  );
}
