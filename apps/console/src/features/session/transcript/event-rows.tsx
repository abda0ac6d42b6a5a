"use client";

import { Clock, Info, TriangleAlert, Unplug } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { formatAbsolute } from "../../../lib/relative-time.ts";
import { RawJson } from "../content/raw-json.tsx";
import { VisibleCode } from "../content/visible-code.tsx";
import { TakeBack } from "./message-rows.tsx";
import type { CrashRow, NoticeRow, QueuedRow, TurnEndRow, UnknownRow } from "./transcript-rows.ts";

const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: "Finished",
  cancelled: "Cancelled",
  max_tokens: "Stopped: the token limit was reached",
  max_turn_requests: "Stopped: the limit of requests in one turn was reached",
  refusal: "The agent refused. It will not remember this message and what followed it",
};

export function turnEndWords(row: TurnEndRow): string {
  if (row.error) return "Failed";
  return STOP_REASONS[row.stopReason ?? ""] ?? `Ended (${row.stopReason ?? "no reason given"})`;
}

/** The line under a turn. A failure says what happened; success stays quiet. */
export function TurnEnd({ row }: { row: TurnEndRow }) {
  const took =
    row.startedAt === null || row.timestamp === null
      ? null
      : Date.parse(row.timestamp) - Date.parse(row.startedAt);
  return (
    <div>
      {row.error === null ? null : (
        <div className="mb-2 rounded-md border border-danger/40 bg-danger-soft/50 px-3 py-2 text-sm">
          <p className="font-medium text-danger">The turn failed</p>
          <p className="[overflow-wrap:anywhere]">{row.error.message}</p>
          <p className="mt-0.5 text-muted text-xs">
            <span className="font-mono">{row.error.code}</span>
            {row.error.details?.delivery === "uncertain" &&
            row.error.code !== "prompt_delivery_uncertain"
              ? " · it is not known whether the agent acted on the message"
              : null}
            {row.error.retryable ? " · the message may be sent again" : null}
          </p>
          {row.error.details === null ? null : (
            <div className="mt-1">
              <RawJson label="Details" value={JSON.parse(JSON.stringify(row.error.details))} />
            </div>
          )}
        </div>
      )}
      <div className="flex items-center gap-2 text-muted text-xs">
        <span className="h-px flex-1 bg-border" />
        <span title={row.timestamp === null ? undefined : formatAbsolute(row.timestamp)}>
          {turnEndWords(row)}
          {took === null ? "" : ` · ${formatDuration(took)}`}
        </span>
        <span className="h-px flex-1 bg-border" />
      </div>
    </div>
  );
}

export function Notice({ row }: { row: NoticeRow }) {
  const isWarning = row.tone === "warning";
  const Icon = isWarning ? TriangleAlert : Info;
  return (
    <div
      className={cn(
        "flex items-start gap-1.5 px-0.5 text-xs",
        isWarning ? "text-warning" : "text-muted",
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-3 shrink-0" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {row.text}
        {row.detail === null ? null : <span className="text-muted">: {row.detail}</span>}
      </p>
    </div>
  );
}

const QUEUED: Readonly<Record<QueuedRow["state"], string>> = {
  waiting: "",
  started: ", started since",
  ended: ", ended before it started",
};

export function Queued({ row }: { row: QueuedRow }) {
  return (
    <p className="flex items-center gap-1.5 px-0.5 text-muted text-xs">
      <Clock aria-hidden className="size-3" />
      Message queued{row.position === null ? "" : ` at position ${row.position}`}
      {QUEUED[row.state]}
      {row.state === "waiting" && row.promptId !== null ? (
        <TakeBack promptId={row.promptId} />
      ) : null}
    </p>
  );
}

const TAIL_LINES = 5;

export function exitWords(exit: { exitCode: number | null; signal: string | null }): string {
  if (exit.signal !== null) return `killed by ${exit.signal}`;
  return exit.exitCode === null ? "exit code unknown" : `exit code ${exit.exitCode}`;
}

export function Crash({ row }: { row: CrashRow }) {
  const lines = row.stderrTail.trimEnd().split("\n");
  const tail = lines.slice(-TAIL_LINES).join("\n");
  return (
    <div className="rounded-md border border-danger/40 bg-surface px-3 py-2 text-sm">
      <p className="flex items-center gap-2">
        <Unplug aria-hidden className="size-4 shrink-0 text-danger" />
        <span>
          <span className="font-medium text-danger">The agent’s process ended by itself</span>{" "}
          <span className="text-muted">({exitWords(row)})</span>
        </span>
      </p>
      {tail === "" ? (
        <p className="mt-1 text-muted text-xs">It wrote nothing to stderr.</p>
      ) : (
        <div className="mt-2 space-y-1">
          <VisibleCode text={tail} />
          {lines.length > TAIL_LINES ? (
            <details className="text-xs">
              <summary className="w-fit text-muted hover:text-text">
                All {lines.length} lines of stderr
              </summary>
              <VisibleCode text={row.stderrTail} className="mt-1" />
            </details>
          ) : null}
        </div>
      )}
    </div>
  );
}

export function Unknown({ row }: { row: UnknownRow }) {
  return (
    <div className="px-0.5">
      <RawJson label={`Event of type ${row.type}`} value={row.raw} />
    </div>
  );
}
