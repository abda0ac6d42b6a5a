"use client";

import type { JsonObject } from "@signalbox/protocol";
import { Check, ChevronRight, CircleDashed, CircleSlash, LoaderCircle, X } from "lucide-react";
import { Age } from "../../../components/time.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { asText } from "../content/json-read.ts";
import { VisibleText } from "../content/visible-code.tsx";
import { useOpen, useTranscriptContext } from "../transcript/transcript-context.tsx";
import { isFinalStatus, type ToolRow } from "../transcript/transcript-rows.ts";
import { baseName, shortPath } from "./path.ts";
import { commandOf, ToolBody } from "./tool-body.tsx";
import { ToolKindIcon } from "./tool-kind.tsx";

/**
 * One tool call. Closed unless it failed or a command runs in it right now.
 *
 * @param isInOpenTurn whether its turn still runs, so that an open status means that it works
 * @param isWaiting whether a permission request for it is open; the request shows the content
 * @param isDeclined whether someone said no to it; then its failure is no news
 */
export function ToolCard({
  row,
  isInOpenTurn,
  isWaiting,
  isDeclined,
}: {
  row: ToolRow;
  isInOpenTurn: boolean;
  isWaiting: boolean;
  isDeclined: boolean;
}) {
  const { session } = useTranscriptContext();
  const isLive = isInOpenTurn && !row.interrupted && !isFinalStatus(row.status) && !isWaiting;
  const isNews = row.status === "failed" && !isDeclined;
  const isWorthSeeing = isNews || (isLive && row.toolKind === "execute");
  const [isOpen, toggle] = useOpen(row.key, isWorthSeeing);
  const cwd = session?.cwd ?? "";
  const command = commandOf(row.rawInput ?? undefined);
  const title = row.title ?? command ?? row.toolCallId;
  const location = row.locations[0];
  return (
    <div className="overflow-hidden rounded-md border bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex w-full items-center gap-2 px-2.5 py-1.5 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-10"
      >
        <ToolKindIcon kind={row.toolKind} />
        <span
          className={cn("min-w-0 truncate", title === command ? "font-mono text-xs" : "text-sm")}
        >
          <VisibleText text={title} />
        </span>
        {location && !title.includes(baseName(location.path)) ? (
          <span className="min-w-0 shrink-[2] truncate font-mono text-muted text-xs max-sm:hidden">
            <VisibleText text={shortPath(location.path, cwd)} />
            {location.line === null ? "" : `:${location.line}`}
          </span>
        ) : null}
        <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-xs">
          <Duration row={row} isLive={isLive} />
          <Status row={row} isLive={isLive} isWaiting={isWaiting} />
          <ChevronRight
            aria-hidden
            className={cn("size-3.5 text-muted transition-transform", isOpen && "rotate-90")}
          />
        </span>
      </button>
      {isOpen ? (
        <div className="border-t px-2.5 py-2.5">
          <ToolBody tool={toolOf(row, title)} cwd={cwd} terminals={row.terminals} isLive={isLive} />
        </div>
      ) : null}
    </div>
  );
}

/** The call as its parts; its command is not repeated when the title says it already. */
function toolOf(row: ToolRow, title: string): JsonObject {
  const { content, rawInput, rawOutput } = row;
  const isSaid = commandOf(rawInput ?? undefined) === title && row.terminals.length > 0;
  return { content, rawInput: isSaid ? null : rawInput, rawOutput };
}

/** A tool row as the fields of an ACP tool call, for a permission request that names it. */
export function announcedCall(row: ToolRow): JsonObject {
  return {
    toolCallId: row.toolCallId,
    title: row.title,
    kind: row.toolKind,
    content: row.content,
    rawInput: row.rawInput,
    locations: row.locations.map(({ path, line }) => ({ path, line })),
  };
}

function Duration({ row, isLive }: { row: ToolRow; isLive: boolean }) {
  if (isLive) return <Age iso={row.startedAt} className="text-muted tabular-nums" />;
  if (row.endedAt === null) return null;
  const ms = Date.parse(row.endedAt) - Date.parse(row.startedAt);
  return <span className="text-muted tabular-nums max-sm:hidden">{formatDuration(ms)}</span>;
}

function Status({ row, isLive, isWaiting }: { row: ToolRow; isLive: boolean; isWaiting: boolean }) {
  const icon = "size-3.5 shrink-0";
  if (isWaiting) {
    return (
      <span className="flex items-center gap-1 font-medium text-warning">
        <svg aria-hidden viewBox="0 0 12 12" className="size-3">
          <path d="M6 0.8 11.2 6 6 11.2 0.8 6Z" fill="currentColor" />
        </svg>
        Needs an answer
      </span>
    );
  }
  if (row.interrupted) {
    return (
      <span className="flex items-center gap-1 text-muted">
        <CircleSlash aria-hidden className={icon} />
        Interrupted
      </span>
    );
  }
  switch (row.status) {
    case "completed":
      return (
        <span className="flex items-center gap-1 text-muted">
          <Check aria-hidden className={cn(icon, "text-success")} />
          Done
        </span>
      );
    case "failed":
      return (
        <span className="flex items-center gap-1 font-medium text-danger">
          <X aria-hidden className={icon} />
          Failed
        </span>
      );
    case "pending":
      return (
        <span className="flex items-center gap-1 text-muted">
          <CircleDashed aria-hidden className={icon} />
          Pending
        </span>
      );
    case "in_progress":
      return (
        <span className={cn("flex items-center gap-1", isLive ? "text-info" : "text-muted")}>
          <LoaderCircle aria-hidden className={cn(icon, isLive && "animate-spin")} />
          {isLive ? "Running" : "Left open"}
        </span>
      );
    default:
      return <span className="text-muted">{asText(row.status)}</span>;
  }
}
