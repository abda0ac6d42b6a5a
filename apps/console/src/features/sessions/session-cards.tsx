"use client";

import type { SessionInfo } from "@signalbox/protocol";
import Link from "next/link";
import { FolderPath } from "../../components/folder-path.tsx";
import { adapterWord, StateLabel } from "../../components/session-state.tsx";
import { RelativeTime } from "../../components/time.tsx";
import { pendingCountOf } from "../../lib/fleet-cache.ts";
import { newEventsOf, type SeenSessions } from "../../lib/last-seen.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { NewMark, PendingCount, type RowSelection, SessionName } from "./session-table.tsx";
import { ROW_ATTRIBUTE } from "./use-row-keys.ts";

/** One card a session, for screens that are too narrow for the table. */
export function SessionCards({
  sessions,
  seen,
  selection,
}: {
  sessions: SessionInfo[];
  seen: SeenSessions;
  selection: RowSelection;
}) {
  return (
    <ul className="divide-y overflow-hidden rounded-lg border bg-surface lg:hidden">
      {sessions.map((session) => (
        <li
          key={session.sessionId}
          {...{ [ROW_ATTRIBUTE]: session.sessionId }}
          className="relative px-3 py-2.5 hover:bg-hover"
        >
          <div className="flex items-center gap-3">
            <input
              type="checkbox"
              aria-label={`Select ${session.sessionId}`}
              checked={selection.selected.has(session.sessionId)}
              onChange={() => selection.toggle(session.sessionId)}
              className="relative z-1 size-4 accent-accent pointer-coarse:size-5"
            />
            <StateLabel status={session.state.status} />
            {pendingCountOf(session) > 0 ? <PendingCount count={pendingCountOf(session)} /> : null}
            <RelativeTime
              iso={session.updatedAt}
              className="relative z-1 ml-auto text-muted text-xs tabular-nums"
            />
          </div>
          <Link
            href={sessionHref(session.sessionId)}
            prefetch={false}
            className="mt-1 block truncate font-medium text-base after:absolute after:inset-0 -outline-offset-2"
          >
            <NewMark count={newEventsOf(session, seen)} />
            <SessionName session={session} />
          </Link>
          <div className="mt-0.5 flex items-center gap-2 text-muted text-xs">
            <span className="shrink-0">{session.agent}</span>
            <span aria-hidden>·</span>
            <span className="shrink-0">Adapter {adapterWord(session.adapter).toLowerCase()}</span>
            <span aria-hidden>·</span>
            <span className="min-w-0 flex-1">
              <FolderPath path={session.cwd} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
