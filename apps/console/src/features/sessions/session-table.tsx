"use client";

import type { SessionInfo } from "@signalbox/protocol";
import Link from "next/link";
import { FolderPath } from "../../components/folder-path.tsx";
import { adapterWord, StateLabel } from "../../components/session-state.tsx";
import { RelativeTime } from "../../components/time.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { cn } from "../../lib/cn.ts";
import { pendingCountOf } from "../../lib/fleet-cache.ts";
import { newEventsOf, type SeenSessions } from "../../lib/last-seen.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { usageWords } from "../session/usage.ts";
import { ROW_ATTRIBUTE } from "./use-row-keys.ts";

const COLUMNS = [
  { name: "State", width: "w-38" },
  { name: "Session", width: "" },
  { name: "Agent", width: "w-24" },
  { name: "Folder", width: "w-[16%]" },
  { name: "Adapter", width: "w-24" },
  { name: "Usage", width: "w-36" },
  { name: "Pending", width: "w-22" },
  { name: "Updated", width: "w-26" },
] as const;

export interface RowSelection {
  selected: ReadonlySet<string>;
  toggle: (sessionId: string) => void;
}

/** One row a session; the whole row leads to it. Wide screens only. */
export function SessionTable({
  sessions,
  seen,
  selection,
}: {
  sessions: SessionInfo[];
  seen: SeenSessions;
  selection: RowSelection;
}) {
  return (
    <div className="hidden overflow-hidden rounded-lg border bg-surface lg:block">
      <table className="w-full table-fixed">
        <thead>
          <tr className="border-b text-left text-muted text-xs">
            <th scope="col" className="w-10">
              <span className="sr-only">Selected</span>
            </th>
            {COLUMNS.map(({ name, width }) => (
              <th key={name} scope="col" className={cn("h-9 px-3 font-medium", width)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {sessions.map((session) => (
            <SessionRow
              key={session.sessionId}
              session={session}
              newEvents={newEventsOf(session, seen)}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({
  session,
  newEvents,
  selection,
}: {
  session: SessionInfo;
  newEvents: number;
  selection: RowSelection;
}) {
  const { sessionId } = session;
  const isSelected = selection.selected.has(sessionId);
  const usage = usageWords(session.usage);
  return (
    <tr
      {...{ [ROW_ATTRIBUTE]: sessionId }}
      className={cn("relative h-11 hover:bg-hover", isSelected && "bg-accent-soft/60")}
    >
      <td className="pl-3">
        <input
          type="checkbox"
          aria-label={`Select ${sessionId}`}
          checked={isSelected}
          onChange={() => selection.toggle(sessionId)}
          className="relative z-1 block size-4 accent-accent"
        />
      </td>
      <td className="px-3">
        <StateLabel status={session.state.status} />
      </td>
      <td className="px-3">
        <Link
          href={sessionHref(session.sessionId)}
          prefetch={false}
          className="block truncate font-medium after:absolute after:inset-0 -outline-offset-2"
        >
          <NewMark count={newEvents} />
          <SessionName session={session} />
        </Link>
      </td>
      <td className="truncate px-3 text-muted">{session.agent}</td>
      <td className="px-3">
        <FolderPath path={session.cwd} />
      </td>
      <td className={cn("px-3", session.adapter === "unloaded" ? "text-muted" : "text-text")}>
        {adapterWord(session.adapter)}
      </td>
      <td className="truncate px-3 text-muted text-xs tabular-nums">
        {usage === null ? null : <span title={usage.long}>{usage.short}</span>}
      </td>
      <td className="px-3">
        <PendingCount count={pendingCountOf(session)} />
      </td>
      <td className="px-3 text-muted tabular-nums">
        <RelativeTime iso={session.updatedAt} className="relative z-1" />
      </td>
    </tr>
  );
}

/** A dot where something has come since this browser last looked. */
export function NewMark({ count }: { count: number }) {
  if (count === 0) return null;
  const words = `${count} new ${count === 1 ? "event" : "events"}`;
  return (
    <span title={words} className="mr-1.5 inline-block align-middle">
      <span aria-hidden className="block size-1.5 rounded-full bg-accent" />
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** The title with the id beside it, or the id alone. */
export function SessionName({ session }: { session: SessionInfo }) {
  if (session.title === null) return <span className="font-mono">{session.sessionId}</span>;
  return (
    <>
      <VisibleText text={session.title} />{" "}
      <span className="font-mono font-normal text-muted text-xs">{session.sessionId}</span>
    </>
  );
}

export function PendingCount({ count }: { count: number }) {
  if (count === 0) return <span className="sr-only">None</span>;
  return <Badge tone="warning">{count} pending</Badge>;
}

const SKELETON_ROWS = ["a", "b", "c", "d", "e", "f"] as const;

export function SessionTableSkeleton() {
  return (
    <div role="status" aria-label="Loading sessions" className="rounded-lg border bg-surface">
      <div className="h-9 border-b" />
      <div className="divide-y">
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="flex h-11 items-center gap-6 px-3">
            <Skeleton className="w-24" />
            <Skeleton className="w-48" />
          </div>
        ))}
      </div>
    </div>
  );
}
