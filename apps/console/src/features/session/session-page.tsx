"use client";

import { SignpostBig } from "lucide-react";
import Link from "next/link";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { SessionWorkspace } from "./session-workspace.tsx";
import { useSessionFeed } from "./use-session-feed.ts";

/**
 * One session: its transcript, live, and everything one can do with it.
 *
 * @param wanted the sequence of the event to begin at; null for the newest
 */
export function SessionPage({ sessionId, wanted }: { sessionId: string; wanted: number | null }) {
  const { feed, state } = useSessionFeed(sessionId, wanted);
  if (state.phase === "gone") return <GoneSession sessionId={sessionId} />;
  if (state.phase === "failed") {
    return <ErrorPanel error={failureAsError(state.failure)} onRetry={feed.retry} />;
  }
  if (state.phase === "loading" && state.transcript.rows.length === 0) return <LoadingSession />;
  return <SessionWorkspace sessionId={sessionId} feed={feed} state={state} />;
}

/** `ErrorPanel` reads errors as they are thrown; a feed keeps what it has read of one. */
function failureAsError(failure: ReturnType<typeof useSessionFeed>["state"]["failure"]): unknown {
  if (failure === null) return new Error("The session could not be loaded.");
  return { message: failure.message, data: { ...failure } };
}

function GoneSession({ sessionId }: { sessionId: string }) {
  return (
    <EmptyState
      className="pt-[16dvh]"
      icon={<SignpostBig aria-hidden />}
      title="There is no such session"
      actions={
        <Button asChild>
          <Link href="/sessions">All sessions</Link>
        </Button>
      }
    >
      <p className="[overflow-wrap:anywhere]">
        <span className="font-mono">{sessionId}</span> does not exist or was deleted.
      </p>
    </EmptyState>
  );
}

const WIDTHS = ["w-2/3", "w-full", "w-5/6", "w-1/2", "w-3/4"];

function LoadingSession() {
  return (
    <div role="status" className="mx-auto w-full max-w-[52rem] space-y-4 px-4 pt-20 md:px-6">
      <span className="sr-only">Loading the session</span>
      {WIDTHS.map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
