"use client";

import type { AdapterProcess } from "@signalbox/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleStop, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { failureOf } from "../../lib/failure.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { TerminalOutput } from "../session/tools/terminal-output.tsx";

const TAIL_MS = 2_000;

type ProcessActionsProps = {
  process: AdapterProcess;
  isAsking: boolean;
  onAsking: (isAsking: boolean) => void;
};

/** Its last words to stderr, and the way to end it. */
export function ProcessActions({ process, isAsking, onAsking }: ProcessActionsProps) {
  const { sessionId } = process;
  const [isReading, setReading] = useState(false);
  return (
    <div className="flex shrink-0 gap-2">
      <Button size="sm" onClick={() => setReading(true)}>
        <SquareTerminal aria-hidden />
        Stderr<span className="sr-only"> of {sessionId}</span>
      </Button>
      <Button
        size="sm"
        variant="danger-outline"
        disabled={process.state === "held" || process.state === "stopping"}
        onClick={() => onAsking(true)}
      >
        <CircleStop aria-hidden />
        Stop<span className="sr-only"> the agent of {sessionId}</span>
      </Button>
      <Dialog open={isReading} onOpenChange={setReading}>
        <DialogContent title="Stderr" description={sessionId} className="sm:max-w-3xl">
          <StderrTail sessionId={sessionId} />
        </DialogContent>
      </Dialog>
      <StopDialog sessionId={sessionId} isOpen={isAsking} onOpenChange={onAsking} />
    </div>
  );
}

function StderrTail({ sessionId }: { sessionId: string }) {
  const trpc = useTRPC();
  const tail = useQuery(
    trpc.agents.stderr.queryOptions({ sessionId }, { refetchInterval: TAIL_MS, staleTime: 0 }),
  );
  if (tail.data === undefined) {
    return tail.error === null ? (
      <Skeleton className="h-40" />
    ) : (
      <ErrorPanel error={tail.error} onRetry={() => void tail.refetch().catch(() => undefined)} />
    );
  }
  if (tail.data.text.trim() === "") {
    return <p className="text-muted">It has written nothing to stderr.</p>;
  }
  return (
    <>
      {tail.data.truncated ? (
        <p className="mb-2 text-muted text-xs">Only its end is kept.</p>
      ) : null}
      <TerminalOutput output={tail.data.text} isLive className="max-h-[60dvh]" />
    </>
  );
}

type StopDialogProps = {
  sessionId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

function StopDialog({ sessionId, isOpen, onOpenChange }: StopDialogProps) {
  const trpc = useTRPC();
  const unload = useMutation(
    trpc.sessions.unload.mutationOptions({ onSuccess: () => onOpenChange(false) }),
  );
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title="Stop this agent?"
        description="Its processes end and a running turn is cancelled. The session stays; its next prompt starts the agent again."
      >
        <p className="font-mono text-sm [overflow-wrap:anywhere]">{sessionId}</p>
        {unload.error === null ? null : (
          <p role="alert" className="mt-2 text-danger">
            Not stopped: {failureOf(unload.error).message}
          </p>
        )}
        <DialogFooter>
          <DialogClose asChild>
            <Button>Keep it running</Button>
          </DialogClose>
          <Button
            variant="danger"
            disabled={unload.isPending}
            onClick={() => unload.mutate({ sessionId })}
          >
            {unload.isPending ? "Stopping…" : "Stop agent"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
