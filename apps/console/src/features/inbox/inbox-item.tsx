"use client";

import type { PendingPermission } from "@signalbox/protocol";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { FolderPath } from "../../components/folder-path.tsx";
import { Age } from "../../components/time.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { PermissionCard } from "../permission/permission-card.tsx";

type InboxItemProps = {
  request: PendingPermission;
  /** How the request ended; null while it waits. */
  outcome: string | null;
};

/** One request with where it comes from. Its height never shrinks under a press. */
export function InboxItem({ request, outcome }: InboxItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const hasEnded = outcome !== null;

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
            {request.title ?? <span className="font-mono">{request.sessionId}</span>}
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
        <div className="flex items-baseline gap-2 text-muted text-xs">
          <span className="shrink-0">{request.agent}</span>
          <span aria-hidden>·</span>
          <FolderPath path={request.cwd} />
        </div>
      </div>
      <div
        ref={body}
        inert={hasEnded}
        onClickCapture={holdHeight}
        onKeyDownCapture={holdHeight}
        className={hasEnded ? "opacity-70" : undefined}
      >
        <PermissionCard request={request} compact />
      </div>
    </li>
  );
}
