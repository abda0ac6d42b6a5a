"use client";

import { ChevronRight, Circle, CircleCheck, CircleDot, CircleSlash } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useOpen } from "../transcript/transcript-context.tsx";
import type { PlanRow } from "../transcript/transcript-rows.ts";
import { VisibleText } from "./visible-code.tsx";

export function planProgress(entries: PlanRow["entries"]): string {
  const done = entries.filter((entry) => entry.status === "completed").length;
  return `${done} of ${entries.length} done`;
}

export function PlanEntries({ entries }: { entries: PlanRow["entries"] }) {
  return (
    <ul className="space-y-1">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry has nothing but its place
        <li key={index} className="flex items-start gap-2 text-sm">
          <EntryMark status={entry.status} />
          <span
            className={cn(
              "min-w-0 [overflow-wrap:anywhere]",
              entry.status === "completed" && "text-muted",
              entry.status === "cancelled" && "text-muted line-through",
              entry.status === "in_progress" && "font-medium",
            )}
          >
            <VisibleText text={entry.content} />
            <span className="sr-only"> ({entry.status.replaceAll("_", " ")})</span>
          </span>
          {entry.priority === "high" && entry.status !== "completed" ? (
            <span className="ml-auto shrink-0 text-2xs text-muted leading-5">high</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function EntryMark({ status }: { status: string }) {
  const classes = "mt-[3px] size-3.5 shrink-0";
  if (status === "completed") {
    return <CircleCheck aria-hidden className={cn(classes, "text-success")} />;
  }
  if (status === "in_progress") {
    return <CircleDot aria-hidden className={cn(classes, "text-info")} />;
  }
  if (status === "cancelled") {
    return <CircleSlash aria-hidden className={cn(classes, "text-muted")} />;
  }
  return <Circle aria-hidden className={cn(classes, "text-muted")} />;
}

/** A plan in the transcript; the plan of an earlier turn folds to one line. */
export function PlanCard({ row }: { row: PlanRow }) {
  const [isOpen, toggle] = useOpen(row.key, !row.superseded);
  if (row.entries.length === 0) return null;
  return (
    <div className="rounded-md border bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover pointer-coarse:min-h-10"
      >
        <span className="font-medium">Plan</span>
        <span className="text-muted text-xs">{planProgress(row.entries)}</span>
        <ChevronRight
          aria-hidden
          className={cn("ml-auto size-3.5 text-muted transition-transform", isOpen && "rotate-90")}
        />
      </button>
      {isOpen ? (
        <div className="px-2.5 pb-2.5">
          <PlanEntries entries={row.entries} />
        </div>
      ) : null}
    </div>
  );
}
