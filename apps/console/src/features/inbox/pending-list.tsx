"use client";

import { Inbox } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useSessions } from "../../lib/fleet.tsx";
import { useHotkeys } from "../../lib/hotkeys.ts";
import { useSwitch } from "../../lib/preference.ts";
import { useMedia } from "../../lib/use-media.ts";
import { BatchBar } from "./batch-bar.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { InboxLine } from "./inbox-line.tsx";
import { endWords, type InboxRow } from "./inbox-rows.ts";
import type { useInbox } from "./use-inbox.ts";

type InboxState = ReturnType<typeof useInbox>;

/** Where a list and a card stand side by side. */
const WIDE = "(min-width: 1024px)";

/** A list with one whole card beside it; on a narrow screen, whole cards one below the other. */
export function PendingList({ inbox }: { inbox: InboxState }) {
  const { rows, isLoading, error, refetch } = inbox;
  const isWide = useMedia(WIDE);
  const { selected, select } = useSelection(rows);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const check = (row: InboxRow | undefined) => {
    if (row?.entry.kind !== "permission" || !row.isPending) return;
    setChecked((old) => toggled(old, row.entry.id));
  };
  useListKeys(rows, selected, {
    select,
    check,
    setAside: inbox.setAside,
  });

  if (isLoading)
    return error === null ? <ListSkeleton /> : <ErrorPanel {...{ error }} onRetry={refetch} />;
  if (rows.length === 0) return <NothingWaiting />;
  const itemOf = (row: InboxRow) => (
    <InboxItem
      key={row.entry.id}
      entry={row.entry}
      outcome={outcomeOf(row, inbox)}
      isChecked={checked.has(row.entry.id)}
      onCheck={isWide ? null : () => check(row)}
      onSetAside={() => inbox.setAside(row.entry)}
    />
  );
  const chosen = rows.filter((row) => row.isPending && checked.has(row.entry.id));
  return (
    <>
      <BatchBar entries={chosen.map((row) => row.entry)} onClear={() => setChecked(new Set())} />
      {isWide ? (
        <div className="grid grid-cols-[minmax(18rem,24rem)_minmax(0,1fr)] items-start gap-6">
          <ol
            aria-label="Needs a person"
            className="divide-y overflow-hidden rounded-lg border bg-surface"
          >
            {rows.map((row) => (
              <InboxLine
                key={row.entry.id}
                entry={row.entry}
                outcome={outcomeOf(row, inbox)}
                isSelected={row === selected}
                isChecked={checked.has(row.entry.id)}
                onSelect={() => select(row)}
                onCheck={() => check(row)}
              />
            ))}
          </ol>
          <div className="sticky top-0 max-h-[calc(100dvh-8rem)] max-w-3xl overflow-y-auto p-1">
            {selected === null ? null : <ol>{itemOf(selected)}</ol>}
          </div>
        </div>
      ) : (
        <ol aria-label="Needs a person" className="space-y-5">
          {rows.map(itemOf)}
        </ol>
      )}
      {inbox.hasMoreFailures ? (
        <Button className="mt-4" onClick={inbox.loadMoreFailures}>
          Load more failed sessions
        </Button>
      ) : null}
    </>
  );
}

function outcomeOf({ entry, isPending }: InboxRow, { resolutions }: InboxState): string | null {
  return isPending ? null : endWords(entry, resolutions.get(entry.id));
}

function toggled(old: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(old);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The first row until another is chosen; what is chosen stays so, whatever comes or ends. */
function useSelection(rows: readonly InboxRow[]) {
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const selected = rows.find((row) => row.entry.id === selectedId) ?? rows[0] ?? null;
  // Held from the moment it is shown: an older entry that comes late must not take its place.
  if (selected !== null && selected.entry.id !== selectedId) setSelectedId(selected.entry.id);
  return { selected, select: (row: InboxRow) => setSelectedId(row.entry.id) };
}

/** j and k walk through the list, x marks a request for an answer together, e sets it aside. */
function useListKeys(
  rows: readonly InboxRow[],
  selected: InboxRow | null,
  acts: {
    select: (row: InboxRow) => void;
    check: (row: InboxRow | undefined) => void;
    setAside: (entry: InboxRow["entry"]) => void;
  },
): void {
  const [hasHotkeys] = useSwitch("hotkeys");
  const step = (by: number) => {
    const at = selected === null ? -1 : rows.indexOf(selected);
    const row = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (row === undefined) return;
    acts.select(row);
    document.getElementById(rowElementId(row))?.focus();
  };
  useHotkeys(
    {
      j: () => step(1),
      k: () => step(-1),
      x: () => acts.check(selected ?? undefined),
      e: () => {
        if (selected?.isPending) acts.setAside(selected.entry);
      },
    },
    hasHotkeys,
  );
}

function rowElementId({ entry }: InboxRow): string {
  return `inbox ${entry.id}`;
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
        ? "When an agent asks for permission, has a question, or fails, it comes here and stays until somebody has dealt with it."
        : `${running} ${running === 1 ? "session is" : "sessions are"} running. What an agent asks comes here and waits until it is answered.`}
    </EmptyState>
  );
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading the inbox" className="space-y-5">
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  );
}
