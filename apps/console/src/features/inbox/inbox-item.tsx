"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { FolderPath } from "../../components/folder-path.tsx";
import { Age } from "../../components/time.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { PermissionCard } from "../permission/permission-card.tsx";
import { QuestionCard } from "../question/question-card.tsx";
import { type InboxRequest, isQuestion } from "./inbox-rows.ts";

type InboxItemProps = {
  request: InboxRequest;
  /** How the request ended; null while it waits. */
  outcome: string | null;
};

/** One request with where it comes from. Its height never shrinks under a press. */
export function InboxItem({ request, outcome }: InboxItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const hasEnded = outcome !== null;
  const session = useOrigin(request, hasEnded);

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
    <li ref={item} tabIndex={-1} className="rounded-lg outline-offset-4">
      <div className="mb-1.5 px-0.5">
        <div className="flex h-5 items-center gap-3">
          <Link
            href={sessionHref(request.sessionId)}
            prefetch={false}
            className="min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
          >
            {session?.title ?? <span className="font-mono">{request.sessionId}</span>}
          </Link>
          {hasEnded ? (
            <span role="status" className="ml-auto inline-flex shrink-0 items-center gap-1.5">
              <CircleCheck aria-hidden className="size-3.5 text-muted" />
              {outcome}
            </span>
          ) : (
            <span className="ml-auto shrink-0 text-muted tabular-nums">
              waiting <Age iso={request.requestedAt} className="font-medium text-text" />
            </span>
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
        {isQuestion(request) ? (
          <QuestionCard question={request} agent={session?.agent ?? null} />
        ) : (
          <PermissionCard request={request} compact />
        )}
      </div>
    </li>
  );
}

interface Origin {
  agent: string;
  cwd: string;
  title: string | null;
}

/** Where a request comes from. A question names its session only, so the session is asked. */
function useOrigin(request: InboxRequest, hasEnded: boolean): Origin | null {
  const trpc = useTRPC();
  const isAsked = isQuestion(request);
  const { sessionId } = request;
  const session = useQuery({
    ...trpc.sessions.get.queryOptions({ sessionId }),
    // A session that is gone has no record to ask for.
    enabled: isAsked && !hasEnded,
  });
  return isAsked ? (session.data ?? null) : request;
}
