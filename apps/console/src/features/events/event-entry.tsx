"use client";

import type { DurableEvent } from "@signalbox/protocol";
import { ChevronRight, Text } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Moment } from "../../components/time.tsx";
import { Button } from "../../components/ui/button.tsx";
import { cn } from "../../lib/cn.ts";
import { eventHref } from "../../lib/session-href.ts";
import { VisibleCode } from "../session/content/visible-code.tsx";
import { eventSummary } from "./event-summary.ts";

const MAX_SHOWN_CHARS = 100_000;

/** One stored event: a line, and all of it when opened. */
export function EventEntry({ sessionId, event }: { sessionId: string; event: DurableEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="flex items-center gap-2 pr-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-2 text-left -outline-offset-2 hover:bg-hover sm:flex-nowrap"
        >
          <ChevronRight
            aria-hidden
            className={cn("size-3.5 shrink-0 self-center text-muted", isOpen && "rotate-90")}
          />
          <span className="w-14 shrink-0 text-muted tabular-nums">#{event.sequence}</span>
          <span className="min-w-0 shrink-0 break-all font-mono text-xs sm:w-64">{event.type}</span>
          <span className="min-w-0 flex-1 basis-full truncate text-muted max-sm:order-last sm:basis-0">
            {eventSummary(event)}
          </span>
          <Moment iso={event.timestamp} className="shrink-0 text-muted text-xs tabular-nums" />
        </button>
        <Button
          asChild
          variant="ghost"
          size="icon-sm"
          aria-label={`Event ${event.sequence} in the transcript`}
          title="In the transcript"
        >
          <Link href={eventHref(sessionId, event.sequence)} prefetch={false}>
            <Text aria-hidden />
          </Link>
        </Button>
      </div>
      {isOpen ? <EventBody event={event} /> : null}
    </li>
  );
}

function EventBody({ event }: { event: DurableEvent }) {
  const json = JSON.stringify(event, null, 2);
  const isCut = json.length > MAX_SHOWN_CHARS;
  return (
    <div className="relative border-t bg-inset px-3 py-2">
      <VisibleCode text={isCut ? `${json.slice(0, MAX_SHOWN_CHARS)}\n…` : json} />
      <CopyButton
        text={() => json}
        label="Copy the event as JSON"
        className="absolute top-2 right-2"
      />
      {isCut ? (
        <p className="mt-1 text-muted text-xs">
          Cut for the screen after {MAX_SHOWN_CHARS.toLocaleString("en-GB")} characters. The copy is
          whole.
        </p>
      ) : null}
    </div>
  );
}
