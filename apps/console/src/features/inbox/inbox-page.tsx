"use client";

import { Inbox } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useFleetEvents, usePending, useSessions } from "../../lib/fleet.tsx";
import { InboxItem } from "./inbox-item.tsx";
import {
  type InboxRequest,
  type InboxRow,
  nextRows,
  type Resolution,
  resolutionText,
} from "./inbox-rows.ts";

/** Every permission request and question that waits, over all sessions, oldest first. */
export function InboxPage() {
  const { requests, isLoading, error, refetch } = usePending();
  const { rows, resolutions, clear } = useRows(requests);
  const endedCount = rows.filter((row) => !row.isPending).length;
  const isEmpty = !isLoading && requests.length === 0;
  return (
    <Page
      title="Inbox"
      width="narrow"
      meta={requests.length === 0 ? null : <Badge tone="warning">{requests.length} pending</Badge>}
      actions={
        endedCount === 0 ? null : (
          <Button size="sm" onClick={clear}>
            Clear {endedCount} ended
          </Button>
        )
      }
    >
      {isLoading && error !== null ? <ErrorPanel error={error} onRetry={refetch} /> : null}
      {isLoading && error === null ? <InboxSkeleton /> : null}
      {isEmpty ? <NothingWaiting /> : null}
      <ol className="space-y-5">
        {rows.map(({ request, isPending }) => (
          <InboxItem
            key={request.requestId}
            request={request}
            outcome={isPending ? null : resolutionText(resolutions.get(request.requestId))}
          />
        ))}
      </ol>
    </Page>
  );
}

/** The rows, of which those that ended stay while the page is open, and how each ended. */
function useRows(requests: InboxRequest[]) {
  const [from, setFrom] = useState(requests);
  const [rows, setRows] = useState<readonly InboxRow[]>(() => nextRows([], requests));
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map());
  if (from !== requests) {
    setFrom(requests);
    setRows(nextRows(rows, requests));
  }
  useFleetEvents((event) => {
    if (event.type !== "permission_resolved" && event.type !== "question_resolved") return;
    setResolutions((old) => new Map(old).set(event.requestId, event));
  });
  const clear = () => {
    setRows((old) => old.filter((row) => row.isPending));
    setResolutions(new Map());
  };
  return { rows, resolutions, clear };
}

function NothingWaiting() {
  const { sessions, isLoading } = useSessions();
  const running = sessions.filter((session) => session.state.status === "running").length;
  return (
    <EmptyState
      icon={<Inbox aria-hidden />}
      title="Nothing is waiting"
      actions={
        <Button asChild>
          <Link href="/sessions">Sessions</Link>
        </Button>
      }
    >
      {isLoading || running === 0
        ? "When an agent asks for permission or has a question, it comes here and waits until it is answered."
        : `${running} ${running === 1 ? "session is" : "sessions are"} running. What an agent asks comes here and waits until it is answered.`}
    </EmptyState>
  );
}

function InboxSkeleton() {
  return (
    <div role="status" aria-label="Loading the inbox" className="space-y-5">
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  );
}
