"use client";

import { cn } from "../../lib/cn.ts";
import { type Connection, useConnection } from "../../lib/trpc.tsx";

const LOOK: Record<Connection["state"], { word: string; colour: string; tells: string }> = {
  live: {
    word: "Live",
    colour: "text-success",
    tells: "Connected. What you see is what the server knows.",
  },
  connecting: { word: "Connecting", colour: "text-muted", tells: "Opening the live connection." },
  reconnecting: {
    word: "Reconnecting",
    colour: "text-warning",
    tells: "The live connection was lost. Nothing is lost on the server; it is tried again.",
  },
  offline: {
    word: "Offline",
    colour: "text-danger",
    tells: "This device reports no network. The connection is tried again when it returns.",
  },
};

/** The state of the live link, in words; while it is down, a button that tries at once. */
export function ConnectionPill({ className }: { className?: string }) {
  const { state, attempt, retryNow } = useConnection();
  const { word, colour, tells } = LOOK[state];
  const isDown = state === "reconnecting" || state === "offline";
  const pill = "inline-flex h-7 items-center gap-1.5 rounded-md px-2 font-medium text-xs";
  const content = (
    <>
      <Mark state={state} />
      {word}
      {isDown && attempt > 1 ? <span className="tabular-nums">({attempt})</span> : null}
    </>
  );
  return (
    <span role="status" className={className}>
      {isDown ? (
        <button
          type="button"
          title={`${tells} Press to retry now.`}
          onClick={retryNow}
          aria-label={`${word}, try ${attempt}. Retry now`}
          className={cn(pill, colour, "bg-hover")}
        >
          {content}
        </button>
      ) : (
        <span title={tells} className={cn(pill, colour)}>
          {content}
        </span>
      )}
    </span>
  );
}

function Mark({ state }: { state: Connection["state"] }) {
  return (
    <svg aria-hidden viewBox="0 0 10 10" className="size-2.5">
      {state === "live" ? <circle cx="5" cy="5" r="4" fill="currentColor" /> : null}
      {state === "connecting" || state === "reconnecting" ? (
        <circle
          cx="5"
          cy="5"
          r="3.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray="14 8"
          className="origin-center animate-spin"
        />
      ) : null}
      {state === "offline" ? (
        <path d="M1.5 1.5l7 7m0-7l-7 7" stroke="currentColor" strokeWidth="2" />
      ) : null}
    </svg>
  );
}
