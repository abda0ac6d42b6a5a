"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog, DialogContent } from "../../components/ui/dialog.tsx";
import { cn } from "../../lib/cn.ts";
import { failureOf } from "../../lib/failure.ts";
import { VisibleText } from "../session/content/visible-code.tsx";
import { matches, type PaletteEntry, stepped } from "./palette-entry.ts";
import { useFoundEntries } from "./use-found-entries.ts";
import { usePageEntries } from "./use-page-entries.ts";

const TYPING_MS = 150;

/** One field for pages, acts, sessions and what was said. Arrows choose, Enter does. */
export function Palette({
  sessionId,
  onClose,
  onHelp,
}: {
  /** The session that is open; null on any other page. */
  sessionId: string | null;
  onClose: () => void;
  onHelp: () => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const query = useSettled(text.trim(), TYPING_MS);
  const pages = usePageEntries(sessionId, onHelp).filter((entry) => matches(entry, text));
  const found = useFoundEntries(query, sessionId);
  const entries = [...pages, ...found.entries];
  const index = Math.min(chosen, Math.max(0, entries.length - 1));
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);

  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) setChosen(stepped(index, by, entries.length));
    else if (event.key === "Enter") run(entries[index]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title="Search and commands"
        className="sm:top-[12dvh] sm:max-w-xl sm:translate-y-0"
        onOpenAutoFocus={(event) => {
          // The first thing in the dialog is the button that closes it.
          event.preventDefault();
          field.current?.focus();
        }}
      >
        <div className="flex items-center gap-2 rounded-md border border-border-strong bg-surface px-2.5 focus-within:border-ring">
          <Search aria-hidden className="size-4 shrink-0 text-muted" />
          <input
            ref={field}
            role="combobox"
            aria-label="Search and commands"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={entries.length === 0 ? undefined : `${listId}${index}`}
            placeholder="A page, a session, or words that were said"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
            className="h-10 min-w-0 flex-1 bg-transparent outline-none pointer-coarse:text-lg"
          />
        </div>
        <Entries
          listId={listId}
          entries={entries}
          chosen={index}
          onChoose={setChosen}
          onRun={run}
        />
        <p role="status" className="mt-2 text-muted text-xs">
          {found.error === null
            ? found.isSearching
              ? "Searching…"
              : entries.length === 0
                ? "Nothing found"
                : ""
            : `Not searched: ${failureOf(found.error).message}`}
        </p>
      </DialogContent>
    </Dialog>
  );
}

function Entries({
  listId,
  entries,
  chosen,
  onChoose,
  onRun,
}: {
  listId: string;
  entries: readonly PaletteEntry[];
  chosen: number;
  onChoose: (index: number) => void;
  onRun: (entry: PaletteEntry) => void;
}) {
  useEffect(() => {
    document.getElementById(`${listId}${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, chosen]);
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Found"
      className="mt-2 max-h-[50dvh] overflow-y-auto"
    >
      {entries.map((entry, index) => (
        <div key={entry.id}>
          {entry.group === entries[index - 1]?.group ? null : (
            <p
              role="presentation"
              className="px-2 pt-2 pb-1 font-medium text-2xs text-muted uppercase tracking-wider"
            >
              {entry.group}
            </p>
          )}
          {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it */}
          <div
            id={`${listId}${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => onChoose(index)}
            onClick={() => onRun(entry)}
            className={cn(
              "flex min-h-8 cursor-default items-baseline gap-3 rounded-md px-2 py-1.5 pointer-coarse:min-h-11",
              index === chosen && "bg-hover",
            )}
          >
            <span className="min-w-0 truncate">
              <VisibleText text={entry.label} />
            </span>
            {entry.detail === null ? null : (
              <span className="ml-auto max-w-[45%] shrink-0 truncate font-mono text-muted text-xs">
                {entry.detail}
              </span>
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

/** `value` once it has stood for `ms` milliseconds. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
