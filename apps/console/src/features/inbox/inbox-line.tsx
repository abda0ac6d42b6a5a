"use client";

import { CircleCheck, MessageCircleQuestion, ShieldQuestion, TriangleAlert } from "lucide-react";
import type { MouseEvent } from "react";
import { Age } from "../../components/time.tsx";
import { cn } from "../../lib/cn.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { EntryCheckbox } from "./entry-checkbox.tsx";
import { headlineOf, reasonOf, subjectOf } from "./entry-words.ts";
import type { InboxEntry } from "./inbox-entry.ts";

const ICON = {
  permission: ShieldQuestion,
  question: MessageCircleQuestion,
  failure: TriangleAlert,
} as const;
const COLOUR = {
  permission: "text-warning",
  question: "text-info",
  failure: "text-danger",
} as const;

/** An entry in three lines: why it is here, what it is about, and where it comes from. */
export function InboxLine({
  entry,
  outcome,
  isSelected,
  isChecked,
  onSelect,
  onCheck,
}: {
  entry: InboxEntry;
  /** How it ended; null while it needs somebody. */
  outcome: string | null;
  isSelected: boolean;
  isChecked: boolean;
  onSelect: () => void;
  onCheck: () => void;
}) {
  const hasEnded = outcome !== null;
  const Icon = hasEnded ? CircleCheck : ICON[entry.kind];
  const subject = subjectOf(entry);
  // Enter and Space, which come as a press without a pointer, go on into the card.
  const press = (event: MouseEvent) => {
    onSelect();
    if (event.detail === 0) requestAnimationFrame(() => focusCard(entry.id));
  };
  return (
    <li className={cn("relative flex", isSelected && "bg-accent-soft/60")}>
      {isSelected ? (
        <span aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-accent" />
      ) : null}
      <span className="flex w-9 shrink-0 justify-center pt-3">
        {entry.kind === "permission" && !hasEnded ? (
          <EntryCheckbox label={`Select: ${headlineOf(entry)}`} {...{ isChecked, onCheck }} />
        ) : null}
      </span>
      <button
        id={`inbox ${entry.id}`}
        type="button"
        aria-current={isSelected}
        onClick={press}
        className={cn(
          "-ml-1.5 min-w-0 flex-1 rounded-sm py-2.5 pr-3 pl-1.5 text-left -outline-offset-2",
          !isSelected && "hover:bg-hover",
        )}
      >
        <span className="flex items-center gap-1.5 text-xs">
          <Icon
            aria-hidden
            className={cn("size-3.5 shrink-0", hasEnded ? "text-muted" : COLOUR[entry.kind])}
          />
          <span className="truncate text-muted">{outcome ?? reasonOf(entry)}</span>
          <Age iso={entry.since} className="ml-auto shrink-0 text-muted tabular-nums" />
        </span>
        <span className={cn("mt-0.5 block truncate", hasEnded ? "text-muted" : "font-medium")}>
          <VisibleText text={firstLine(headlineOf(entry))} />
        </span>
        {subject === null ? null : (
          <span className="block truncate font-mono text-muted text-xs">
            <VisibleText text={firstLine(subject)} />
          </span>
        )}
        <span className="block truncate text-muted text-xs">{entry.sessionId}</span>
      </button>
    </li>
  );
}

const MAX_LINE_CHARACTERS = 200;

function firstLine(text: string): string {
  const [line = ""] = text.slice(0, MAX_LINE_CHARACTERS).split("\n", 1);
  return line;
}

function focusCard(entryId: string): void {
  const card = document.querySelector(`[data-request-id="${CSS.escape(entryId)}"]`);
  const target = card?.querySelector("input, select, textarea") ?? card;
  const isForm = target !== card;
  if (target instanceof HTMLElement) target.focus({ preventScroll: isForm });
}
