import type { AdapterPresence, SessionStatus } from "@signalbox/protocol";
import { cn } from "../lib/cn.ts";

const STATE: Record<SessionStatus, { word: string; colour: string }> = {
  idle: { word: "Idle", colour: "text-muted" },
  running: { word: "Running", colour: "text-info" },
  waiting: { word: "Needs an answer", colour: "text-warning" },
  failed: { word: "Failed", colour: "text-danger" },
};

export function stateWord(status: SessionStatus): string {
  return STATE[status].word;
}

/** A mark whose shape tells the state without its colour: ring, disc, diamond, cross. */
export function StateMark({ status, className }: { status: SessionStatus; className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 12 12"
      className={cn("size-3 shrink-0", STATE[status].colour, className)}
    >
      {status === "idle" ? (
        <circle cx="6" cy="6" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      ) : null}
      {status === "running" ? (
        <>
          <circle cx="6" cy="6" r="3" fill="currentColor" />
          <circle
            cx="6"
            cy="6"
            r="5.25"
            fill="none"
            stroke="currentColor"
            strokeWidth="1"
            className="origin-center animate-pulse"
          />
        </>
      ) : null}
      {status === "waiting" ? <path d="M6 0.8 11.2 6 6 11.2 0.8 6Z" fill="currentColor" /> : null}
      {status === "failed" ? (
        <path
          d="M2.5 2.5l7 7m0-7l-7 7"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      ) : null}
    </svg>
  );
}

/** Mark and word together. */
export function StateLabel({ status, className }: { status: SessionStatus; className?: string }) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1.5 whitespace-nowrap align-middle font-medium",
        STATE[status].colour,
        className,
      )}
    >
      <StateMark status={status} />
      {STATE[status].word}
    </span>
  );
}

const ADAPTER: Record<AdapterPresence, string> = {
  live: "Live",
  starting: "Starting",
  unloaded: "Unloaded",
};

export function adapterWord(adapter: AdapterPresence): string {
  return ADAPTER[adapter];
}
