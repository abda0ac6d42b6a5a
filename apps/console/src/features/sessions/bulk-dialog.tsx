"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { useId, useState } from "react";
import { StateLabel } from "../../components/session-state.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { cn } from "../../lib/cn.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { useEach } from "../../lib/use-each.ts";

export type BulkAct = "unload" | "delete";

const ACTS = {
  unload: {
    title: "Unload these agents?",
    tells:
      "Running turns are cancelled. The next message starts an agent again and restores its session.",
    button: "Unload",
    done: "Unloaded",
  },
  delete: {
    title: "Delete these sessions?",
    tells:
      "Their history, messages and stored secrets are removed for good. Files in their folders stay.",
    button: "Delete",
    done: "Deleted",
  },
} as const;

/** Lists what is about to be done to which sessions, and afterwards what came of each. */
export function BulkDialog({
  act,
  sessions,
  onClose,
}: {
  act: BulkAct;
  sessions: SessionInfo[];
  onClose: () => void;
}) {
  const client = useTRPCClient();
  const { title, tells, button, done } = ACTS[act];
  const [typed, setTyped] = useState("");
  const inputId = useId();
  const { step, outcomes, run } = useEach(
    ({ sessionId }: SessionInfo) => sessionId,
    async ({ sessionId }) => {
      const procedures = client.sessions;
      if (act === "unload") await procedures.unload.mutate({ sessionId });
      else await procedures.delete.mutate({ sessionId });
      return { words: done, isDone: true };
    },
  );
  const count = String(sessions.length);
  const mustType = act === "delete";
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent title={title} description={tells} className="sm:max-w-xl">
        <ul aria-label="Chosen sessions" className="divide-y rounded-lg border">
          {sessions.map((session) => {
            const outcome = outcomes.get(session.sessionId);
            return (
              <li key={session.sessionId} className="flex items-center gap-3 px-3 py-2">
                <span className="min-w-0 flex-1 truncate font-mono text-xs">
                  {session.sessionId}
                </span>
                {outcome === undefined ? (
                  <StateLabel status={session.state.status} className="text-xs" />
                ) : (
                  <span className={cn("text-xs", outcome.isDone ? "text-success" : "text-danger")}>
                    {outcome.words}
                  </span>
                )}
              </li>
            );
          })}
        </ul>
        {step === "open" && mustType ? (
          <div className="mt-4">
            <label htmlFor={inputId}>Type their number, {count}, to go on.</label>
            <Input
              id={inputId}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="mt-1 max-w-28"
            />
          </div>
        ) : null}
        {step === "done" ? (
          <p role="status" className="mt-4">
            {done}: {[...outcomes.values()].filter(({ isDone }) => isDone).length} of {count}.
          </p>
        ) : null}
        <DialogFooter>
          <Button onClick={onClose}>{step === "done" ? "Close" : "Keep"}</Button>
          {step === "done" ? null : (
            <Button
              variant={act === "delete" ? "danger" : "primary"}
              disabled={step === "sending" || (mustType && typed.trim() !== count)}
              onClick={() => run(sessions)}
            >
              {step === "sending" ? `${outcomes.size + 1} of ${count}` : `${button} ${count}`}
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
