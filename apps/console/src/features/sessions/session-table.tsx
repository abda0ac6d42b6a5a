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
import { sessionHref } from "../../lib/session-href.ts";
import { VisibleText } from "../session/content/visible-code.tsx";

const COLUMNS = [
  { name: "State", width: "w-38" },
  { name: "Session", width: "" },
  { name: "Agent", width: "w-24" },
  { name: "Folder", width: "w-[20%]" },
  { name: "Adapter", width: "w-24" },
  { name: "Pending", width: "w-22" },
  { name: "Updated", width: "w-26" },
] as const;

/** One row a session; the whole row leads to it. Wide screens only. */
export function SessionTable({ sessions }: { sessions: SessionInfo[] }) {
  return (
    <div className="hidden overflow-hidden rounded-lg border bg-surface lg:block">
      <table className="w-full table-fixed">
        <thead>
          <tr className="border-b text-left text-muted text-xs">
            {COLUMNS.map(({ name, width }) => (
              <th key={name} scope="col" className={cn("h-9 px-3 font-medium", width)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {sessions.map((session) => (
            <SessionRow key={session.sessionId} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({ session }: { session: SessionInfo }) {
  return (
    <tr className="relative h-11 hover:bg-hover">
      <td className="px-3">
        <StateLabel status={session.state.status} />
      </td>
      <td className="px-3">
        <Link
          href={sessionHref(session.sessionId)}
          prefetch={false}
          className="block truncate font-medium after:absolute after:inset-0 -outline-offset-2"
        >
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
      <td className="px-3">
        <PendingCount count={pendingCountOf(session)} />
      </td>
      <td className="px-3 text-muted tabular-nums">
        <RelativeTime iso={session.updatedAt} className="relative z-1" />
      </td>
    </tr>
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
