"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { StateMark, stateWord } from "../../components/session-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { cn } from "../../lib/cn.ts";
import { useSessions } from "../../lib/fleet.tsx";
import { pendingCountOf } from "../../lib/fleet-cache.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { VisibleText } from "../session/content/visible-code.tsx";

const SHOWN = 50;

/** The newest sessions with their live state. Rows keep their places while it is on screen. */
export function SessionNav() {
  const { sessions, isLoading, hasMore } = useSessions();
  const { sessionId: segment } = useParams<{ sessionId?: string }>();
  const shown = sessions.slice(0, SHOWN);
  return (
    <nav aria-label="Sessions" className="mt-5 flex min-h-0 flex-1 flex-col">
      <h2 className="px-4 pb-1 font-medium text-2xs text-muted uppercase tracking-wider">
        Recent sessions
      </h2>
      <ul className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {isLoading ? <SkeletonRows /> : null}
        {shown.map((session) => {
          const href = sessionHref(session.sessionId);
          const isCurrent = segment !== undefined && href === `/s/${segment}`;
          const status = session.state.status;
          return (
            <li key={session.sessionId}>
              <Link
                href={href}
                prefetch={false}
                aria-current={isCurrent ? "page" : undefined}
                title={`${session.sessionId}: ${stateWord(status)}`}
                className={cn(
                  "flex h-7 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-text -outline-offset-2",
                  "aria-[current=page]:bg-hover aria-[current=page]:text-text",
                )}
              >
                <StateMark status={status} />
                <span className="min-w-0 truncate">
                  <VisibleText text={session.title ?? session.sessionId} />
                </span>
                {pendingCountOf(session) > 0 ? (
                  <span className="ml-auto font-semibold text-2xs text-warning tabular-nums">
                    {pendingCountOf(session)}
                  </span>
                ) : null}
                <span className="sr-only">, {stateWord(status)}</span>
              </Link>
            </li>
          );
        })}
        {!isLoading && shown.length === 0 ? (
          <li className="px-2 py-1 text-muted">None yet</li>
        ) : null}
        {hasMore || sessions.length > SHOWN ? (
          <li>
            <Link
              href="/sessions"
              className="flex h-7 items-center rounded-md px-2 text-muted hover:text-text"
            >
              All sessions
            </Link>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

function SkeletonRows() {
  return (
    <li className="space-y-2.5 px-2 pt-2">
      <Skeleton className="w-4/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/3" />
    </li>
  );
}
