"use client";

import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Button } from "../../components/ui/button.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { RawJson } from "../session/content/raw-json.tsx";
import { VisibleCode, VisibleText } from "../session/content/visible-code.tsx";
import { reasonOf } from "./entry-words.ts";
import type { FailureEntry } from "./inbox-entry.ts";

const NEXT_STEPS: Readonly<Record<string, string>> = {
  prompt_delivery_uncertain:
    "The agent may or may not have acted on the message. Look at what it did before you send it again.",
  prompt_not_delivered: "The agent never saw the message. It may be sent again.",
  adapter_exited: "The next message starts the agent again and restores the session.",
  auth_required: "Log in to the agent on the server, then send the message again.",
  adapter_spawn_failed: "The agents page has a check that tells what the agent needs.",
};

/** A session whose last turn failed: why, what the agent said last, and the way to it. */
export function FailureCard({ entry }: { entry: FailureEntry }) {
  const { error, sessionId } = entry;
  const { stderrTail, ...details } = error.details ?? {};
  const nextStep = Object.hasOwn(NEXT_STEPS, error.code) ? NEXT_STEPS[error.code] : null;
  return (
    <section
      aria-label={reasonOf(entry)}
      data-request-id={entry.id}
      tabIndex={-1}
      className="min-w-0 rounded-lg border border-danger/40 bg-surface"
    >
      <div className="flex items-start gap-2.5 px-3 py-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{reasonOf(entry)}</p>
          <p className="[overflow-wrap:anywhere]">
            <VisibleText text={error.message} />
          </p>
          <p className="font-mono text-muted text-xs">{error.code}</p>
        </div>
      </div>
      <div className="space-y-3 px-3 pb-3">
        {nextStep === null ? null : <p className="text-muted">{nextStep}</p>}
        {typeof stderrTail === "string" && stderrTail !== "" ? (
          <div>
            <p className="mb-1 text-muted text-xs">Last lines of its stderr</p>
            <VisibleCode text={stderrTail} />
          </div>
        ) : null}
        {Object.keys(details).length === 0 ? null : (
          <RawJson label="Details" value={JSON.parse(JSON.stringify(details))} />
        )}
        <Button asChild>
          <Link href={sessionHref(sessionId)} prefetch={false}>
            Open the session
          </Link>
        </Button>
      </div>
    </section>
  );
}
