"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { CircleAlert, History, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { cn } from "../../lib/cn.ts";
import type { Failure } from "../../lib/failure.ts";
import { exitWords } from "./transcript/event-rows.tsx";
import { adviceFor } from "./transcript/failure-words.ts";
import type { CrashRow, Row } from "./transcript/transcript-rows.ts";

function Banner({
  tone,
  icon,
  children,
  actions,
}: {
  tone: "danger" | "neutral";
  icon: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      className={cn(
        "flex items-start gap-2.5 rounded-lg border px-3 py-2 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0",
        tone === "danger" && "border-danger/40 bg-surface [&>svg]:text-danger",
        tone === "neutral" && "bg-surface [&>svg]:text-muted",
      )}
    >
      {icon}
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</div>
      {actions === undefined ? null : <div className="flex shrink-0 gap-2">{actions}</div>}
    </div>
  );
}

/** Why the last message was not taken. */
export function SendFailure({
  failure,
  onRetry,
  onDismiss,
}: {
  failure: Failure;
  onRetry: () => void;
  onDismiss: () => void;
}) {
  const advice = adviceFor(failure);
  return (
    <Banner
      tone="danger"
      icon={<CircleAlert aria-hidden />}
      actions={
        <>
          <Button size="sm" onClick={onRetry}>
            Send again
          </Button>
          <Button size="sm" variant="ghost" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      <p>{failure.message}</p>
      {advice === null ? null : <p className="text-muted text-xs">{advice}</p>}
      {failure.appCode === null ? null : (
        <p className="font-mono text-2xs text-muted">{failure.appCode}</p>
      )}
    </Banner>
  );
}

/** The stream of events stands still although the page is connected. */
export function StreamFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <Banner
      tone="danger"
      icon={<CircleAlert aria-hidden />}
      actions={
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
      }
    >
      <p>Live updates have stopped: {failure.message}</p>
    </Banner>
  );
}

/** Older events are shown, and nothing can be sent from among them. */
export function ReadingPast({
  failure,
  onLatest,
}: {
  failure: Failure | null;
  onLatest: () => void;
}) {
  return (
    <Banner
      tone={failure === null ? "neutral" : "danger"}
      icon={<History aria-hidden />}
      actions={
        <Button size="sm" onClick={onLatest}>
          Go to the latest
        </Button>
      }
    >
      {failure === null
        ? "These are older events. Newer ones follow as you scroll."
        : `Newer events did not load: ${failure.message}`}
    </Banner>
  );
}

/** The event that was asked for is not shown. */
export function MissedPlace({ failure }: { failure: Failure }) {
  return (
    <Banner tone="neutral" icon={<History aria-hidden />}>
      {failure.appCode === "history_cursor_expired"
        ? "The event of this link is no longer kept. These are the latest events."
        : "There is no event yet of the number in this link. These are the latest events."}
    </Banner>
  );
}

/** The agent's process is gone; nothing starts it again but the next message. */
export function AdapterGone({ session, rows }: { session: SessionInfo; rows: readonly Row[] }) {
  if (session.adapter !== "unloaded") return null;
  const crash = crashAtEnd(rows);
  return (
    <Banner tone="neutral" icon={<Unplug aria-hidden />}>
      {crash === null
        ? "The agent is unloaded."
        : `The agent’s process ended (${exitWords(crash)}).`}{" "}
      <span className="text-muted">The next message starts it and restores the session.</span>
    </Banner>
  );
}

function crashAtEnd(rows: readonly Row[]): CrashRow | null {
  for (const row of rows.toReversed()) {
    if (row.kind === "crash") return row;
    if (row.kind === "user") return null;
  }
  return null;
}

/** The turn failed before the agent could act on it: the same message may be sent again. */
export function RetryOffer({ onSend, isSending }: { onSend: () => void; isSending: boolean }) {
  return (
    <Banner
      tone="neutral"
      icon={<CircleAlert aria-hidden />}
      actions={
        <Button size="sm" disabled={isSending} onClick={onSend}>
          Send again
        </Button>
      }
    >
      The last message was not delivered to the agent.
    </Banner>
  );
}
