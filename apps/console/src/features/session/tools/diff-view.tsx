"use client";

import { memo, useMemo, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { VisibleText } from "../content/visible-code.tsx";
import { visibleText } from "../content/visible-text.ts";
import { ScrollBox } from "../transcript/scroll-box.tsx";
import { type DiffLine, diffLines } from "./diff-lines.ts";
import { shortPath } from "./path.ts";

const FOLDED_LINES = 40;
const SLACK_LINES = 8;
const MAX_LINES = 2_000;

/** One changed file as a unified diff. A long one starts folded unless `isWhole`. */
export function DiffView({
  path,
  oldText,
  newText,
  cwd,
  isWhole = false,
}: {
  path: string;
  oldText: string | null;
  newText: string;
  cwd: string;
  isWhole?: boolean;
}) {
  const diff = useMemo(() => diffLines(oldText, newText), [oldText, newText]);
  const [isOpen, setOpen] = useState(isWhole);
  const isFolded = !isOpen && diff.lines.length > FOLDED_LINES + SLACK_LINES;
  const shown = diff.lines.slice(0, isFolded ? FOLDED_LINES : MAX_LINES);
  const left = diff.lines.length - shown.length;
  return (
    <figure className="overflow-hidden rounded-md border">
      <figcaption className="flex items-center gap-2 border-b bg-inset px-3 py-1 font-mono text-xs">
        <span className="min-w-0 truncate" title={visibleText(path)}>
          <VisibleText text={shortPath(path, cwd)} />
        </span>
        {diff.isNewFile ? <span className="text-muted">new file</span> : null}
        {diff.isWhole ? <span className="text-muted">rewritten; new text shown</span> : null}
        <span className="ml-auto shrink-0 tabular-nums">
          <span className="text-success">+{diff.added}</span>{" "}
          <span className="text-danger">−{diff.removed}</span>
        </span>
      </figcaption>
      <DiffLines lines={shown} isScrolling={isOpen || isWhole} />
      {left > 0 ? (
        <div className="border-t bg-inset px-2 py-1">
          {isFolded ? (
            <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
              Show {left} more {left === 1 ? "line" : "lines"}
            </Button>
          ) : (
            <span className="text-muted text-xs">{left} more lines are not shown</span>
          )}
        </div>
      ) : null}
      {diff.lines.length === 0 ? (
        <p className="px-3 py-2 text-muted text-xs">No change in the text</p>
      ) : null}
    </figure>
  );
}

const SIGN: Readonly<Record<DiffLine["kind"], string>> = {
  added: "+",
  removed: "−",
  context: " ",
  gap: "",
};

const SPOKEN: Readonly<Record<DiffLine["kind"], string>> = {
  added: "added ",
  removed: "removed ",
  context: "",
  gap: "",
};

const DiffLines = memo(function DiffLines({
  lines,
  isScrolling,
}: {
  lines: readonly DiffLine[];
  isScrolling: boolean;
}) {
  const isNew = lines.every((line) => line.oldNumber === null);
  return (
    <ScrollBox
      label="Changed lines"
      className={cn("py-1 font-mono text-xs leading-5", isScrolling && "max-h-[32rem]")}
    >
      <div className="w-max min-w-full">
        {lines.map((line, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come twice
            key={index}
            className={cn(
              "flex min-h-5",
              line.kind === "added" && "bg-success-soft",
              line.kind === "removed" && "bg-danger-soft",
              line.kind === "gap" && "my-1 border-border border-y border-dashed bg-inset",
            )}
          >
            {line.kind === "gap" ? (
              <span className="px-3 text-2xs text-muted">unchanged lines</span>
            ) : (
              <>
                {isNew ? null : <LineNumber value={line.oldNumber} />}
                <LineNumber value={line.newNumber} />
                <span
                  aria-hidden
                  className={cn(
                    "w-5 shrink-0 select-none text-center",
                    line.kind === "added" && "text-success",
                    line.kind === "removed" && "text-danger",
                  )}
                >
                  {SIGN[line.kind]}
                </span>
                <span className="whitespace-pre pr-3">
                  <span className="sr-only">{SPOKEN[line.kind]}</span>
                  <VisibleText text={line.text} />
                </span>
              </>
            )}
          </div>
        ))}
      </div>
    </ScrollBox>
  );
});

function LineNumber({ value }: { value: number | null }) {
  return (
    <span
      aria-hidden
      className="w-10 shrink-0 select-none pr-1 text-right text-2xs text-muted tabular-nums leading-5"
    >
      {value}
    </span>
  );
}
