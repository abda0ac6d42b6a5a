"use client";

import type { PendingPermission, PendingQuestion, SessionInfo } from "@signalbox/protocol";
import { useMemo, useState } from "react";
import { useNow } from "../../lib/clock.ts";
import { useFleetEvents, usePending, useSessions } from "../../lib/fleet.tsx";
import { inboxEntries } from "./inbox-entry.ts";
import { type InboxRow, nextRows, type Resolution } from "./inbox-rows.ts";
import { isAside } from "./set-aside.ts";
import { usePutOffs } from "./use-put-offs.ts";

/** Everything that needs a person, with what has ended since the page was opened. */
export function useInbox() {
  const pending = usePending();
  const failed = useSessions({ status: "failed" });
  const { rows, resolutions, clear } = useRows(pending.requests, failed.sessions);
  const { putOffs, setAside, bringBack } = usePutOffs();
  const nowMs = useNow();
  const aside = rows.filter((row) => row.isPending && isAside(row.entry, putOffs, nowMs));
  const hidden = new Set(aside.map((row) => row.entry.id));
  return {
    rows: rows.filter((row) => !hidden.has(row.entry.id)),
    aside,
    resolutions,
    clear,
    setAside,
    bringBack,
    requestCount: pending.requests.length,
    failureCount: failed.sessions.length,
    isLoading: pending.isLoading || failed.isLoading,
    error: pending.error ?? failed.error,
    hasMoreFailures: failed.hasMore,
    loadMoreFailures: failed.loadMore,
    refetch: () => {
      pending.refetch();
      failed.refetch();
    },
  };
}

type Requests = readonly (PendingPermission | PendingQuestion)[];

/** The rows, of which those that ended stay until they are cleared, and how each ended. */
function useRows(requests: Requests, sessions: readonly SessionInfo[]) {
  const entries = useMemo(() => inboxEntries(requests, sessions), [requests, sessions]);
  const [from, setFrom] = useState(entries);
  const [rows, setRows] = useState<readonly InboxRow[]>(() => nextRows([], entries));
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map());
  if (from !== entries) {
    setFrom(entries);
    setRows(nextRows(rows, entries));
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
