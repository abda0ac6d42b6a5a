"use client";

import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { type AnsiSpan, type TerminalLine, terminalLines } from "../content/ansi.ts";
import { ScrollBox } from "../transcript/scroll-box.tsx";

const HEAD_LINES = 200;
const TAIL_LINES = 300;
const FOLLOW_SLACK_PX = 24;

/**
 * Output of a program with its colours. The box follows the end until the reader scrolls up.
 *
 * @param isLive keeps to the newest line as output arrives
 */
export function TerminalOutput({
  output,
  isLive,
  className,
}: {
  output: string;
  isLive: boolean;
  className?: string;
}) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => terminalLines(output), [output]);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element && isLive && follows.current) element.scrollTop = element.scrollHeight;
  });

  const isCut = !isWhole && lines.length > HEAD_LINES + TAIL_LINES;
  const hidden = lines.length - HEAD_LINES - TAIL_LINES;
  return (
    <ScrollBox
      ref={box}
      label="Terminal output"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < FOLLOW_SLACK_PX;
      }}
      className={cn(
        "rounded-md bg-inset px-3 py-2 font-mono text-xs leading-5",
        isLive ? "max-h-52" : "max-h-96",
        className,
      )}
    >
      {isCut ? (
        <>
          <Lines lines={lines.slice(0, HEAD_LINES)} />
          <Button variant="ghost" size="sm" className="my-1" onClick={() => setWhole(true)}>
            Show {hidden} more lines
          </Button>
          <Lines lines={lines.slice(-TAIL_LINES)} />
        </>
      ) : (
        <Lines lines={lines} />
      )}
    </ScrollBox>
  );
}

const Lines = memo(function Lines({ lines }: { lines: readonly TerminalLine[] }) {
  return (
    <pre className="w-max min-w-full">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its place
        <div key={index} className="min-h-5">
          {line.spans.map((span, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span has nothing but its place
            <span key={at} {...looksOf(span)}>
              {span.text}
            </span>
          ))}
        </div>
      ))}
    </pre>
  );
});

function looksOf(span: AnsiSpan) {
  const { colour, background } = span;
  return {
    className: cn(
      span.isBold && "font-semibold",
      span.isDim && "opacity-70",
      span.isItalic && "italic",
      span.isUnderlined && "underline",
    ),
    style: {
      ...(colour ? { color: colour } : {}),
      ...(background ? { backgroundColor: background } : {}),
    },
  };
}
