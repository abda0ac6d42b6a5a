"use client";

import { Clock } from "lucide-react";
import Link from "next/link";
import { Age } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { headlineOf, reasonOf } from "./entry-words.ts";
import type { useInbox } from "./use-inbox.ts";

/** What was put off here. Agents go on waiting: it decides nothing. */
export function AsideList({ inbox }: { inbox: ReturnType<typeof useInbox> }) {
  if (inbox.aside.length === 0) {
    return (
      <EmptyState icon={<Clock aria-hidden />} title="Nothing is set aside">
        What you set aside stays here for 15 minutes, then it is pending again. A failed session
        stays until something new happens in it.
      </EmptyState>
    );
  }
  return (
    <ol aria-label="Set aside" className="max-w-3xl divide-y rounded-lg border bg-surface">
      {inbox.aside.map(({ entry }) => (
        <li key={entry.id} className="flex items-center gap-3 px-3 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">
              <VisibleText text={headlineOf(entry)} />
            </p>
            <p className="truncate text-muted text-xs">
              {reasonOf(entry)} · <Age iso={entry.since} /> ·{" "}
              <Link
                href={sessionHref(entry.sessionId)}
                prefetch={false}
                className="hover:underline"
              >
                {entry.sessionId}
              </Link>
            </p>
          </div>
          <Button size="sm" onClick={() => inbox.bringBack(entry)}>
            Bring back
          </Button>
        </li>
      ))}
    </ol>
  );
}
