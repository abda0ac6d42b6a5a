"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Clock } from "lucide-react";
import Link from "next/link";
import { lazy, Suspense, type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { FolderPath } from "../../components/folder-path.tsx";
import { Age } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { PermissionCard } from "../permission/permission-card.tsx";
import { VisibleText } from "../session/content/visible-code.tsx";
import { EntryCheckbox } from "./entry-checkbox.tsx";
import { headlineOf } from "./entry-words.ts";
import { FailureCard } from "./failure-card.tsx";
import type { InboxEntry } from "./inbox-entry.ts";

const QuestionCard = lazy(() =>
  import("../question/question-card.tsx").then((module) => ({ default: module.QuestionCard })),
);

type InboxItemProps = {
  entry: InboxEntry;
  /** How it ended; null while it needs somebody. */
  outcome: string | null;
  isChecked: boolean;
  /** Null where the box stands elsewhere. */
  onCheck: (() => void) | null;
  onSetAside: () => void;
};

/** One entry, whole, with where it comes from. Its height never shrinks under a press. */
export function InboxItem({ entry, outcome, isChecked, onCheck, onSetAside }: InboxItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const hasEnded = outcome !== null;
  const session = useOrigin(entry, hasEnded);

  // What has ended takes no focus any more. Where it had it, the item keeps the reader's place;
  // the next card must not get it: a second press of the same key would answer that one.
  useLayoutEffect(() => {
    if (hasEnded && body.current?.contains(document.activeElement)) item.current?.focus();
  }, [hasEnded]);

  const holdHeight = (event: SyntheticEvent) => {
    const isPress = event.target instanceof Element && event.target.closest("button") !== null;
    if (body.current === null || (event.type === "click" && !isPress)) return;
    body.current.style.minHeight = `${body.current.offsetHeight}px`;
  };

  return (
    <li ref={item} tabIndex={-1} className="list-none rounded-lg outline-offset-4">
      <div className="mb-1.5 px-0.5">
        <div className="flex min-h-7 items-center gap-3">
          {onCheck === null || entry.kind !== "permission" || hasEnded ? null : (
            <EntryCheckbox label={`Select: ${headlineOf(entry)}`} {...{ isChecked, onCheck }} />
          )}
          <Link
            href={sessionHref(entry.sessionId)}
            prefetch={false}
            className="min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
          >
            {session === null || session.title === null ? (
              <span className="font-mono">{entry.sessionId}</span>
            ) : (
              <VisibleText text={session.title} />
            )}
          </Link>
          {hasEnded ? (
            <span role="status" className="ml-auto inline-flex shrink-0 items-center gap-1.5">
              <CircleCheck aria-hidden className="size-3.5 text-muted" />
              {outcome}
            </span>
          ) : (
            <>
              <span className="ml-auto shrink-0 text-muted tabular-nums">
                {entry.kind === "failure" ? "for" : "waiting"}{" "}
                <Age iso={entry.since} className="font-medium text-text" />
              </span>
              <Button
                size="sm"
                variant="ghost"
                title={
                  entry.kind === "failure"
                    ? "Out of this list until something new happens (e)"
                    : "Out of this list for 15 minutes. It decides nothing (e)"
                }
                onClick={onSetAside}
              >
                <Clock aria-hidden />
                Set aside
              </Button>
            </>
          )}
        </div>
        <div className="flex h-4 items-baseline gap-2 text-muted text-xs">
          {session === null ? null : (
            <>
              <span className="shrink-0">{session.agent}</span>
              <span aria-hidden>·</span>
              <FolderPath path={session.cwd} />
            </>
          )}
        </div>
      </div>
      <div
        ref={body}
        inert={hasEnded}
        onClickCapture={holdHeight}
        onKeyDownCapture={holdHeight}
        className={hasEnded ? "opacity-70" : undefined}
      >
        <EntryCard entry={entry} agent={session?.agent ?? null} />
      </div>
    </li>
  );
}

function EntryCard({ entry, agent }: { entry: InboxEntry; agent: string | null }) {
  switch (entry.kind) {
    case "permission":
      return <PermissionCard request={entry.request} compact />;
    case "question":
      return (
        <Suspense fallback={<Skeleton className="h-36" />}>
          <QuestionCard question={entry.request} agent={agent} />
        </Suspense>
      );
    case "failure":
      return <FailureCard entry={entry} />;
  }
}

interface Origin {
  agent: string;
  cwd: string;
  title: string | null;
}

/** Where an entry comes from. A question names its session only, so the session is asked. */
function useOrigin(entry: InboxEntry, hasEnded: boolean): Origin | null {
  const trpc = useTRPC();
  const { sessionId } = entry;
  const session = useQuery({
    ...trpc.sessions.get.queryOptions({ sessionId }),
    // A session that is gone has no record to ask for.
    enabled: entry.kind === "question" && !hasEnded,
  });
  if (entry.kind === "question") return session.data ?? null;
  return entry.kind === "failure" ? entry.session : entry.request;
}
