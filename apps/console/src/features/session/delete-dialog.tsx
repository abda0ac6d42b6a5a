"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { type Failure, failureOf } from "../../lib/failure.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";

/** Asks before a session is deleted for good. */
export function DeleteDialog({
  sessionId,
  isOpen,
  onOpenChange,
  isBusy,
}: {
  sessionId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  isBusy: boolean;
}) {
  const client = useTRPCClient();
  const router = useRouter();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const remove = async () => {
    setSending(true);
    setFailure(null);
    try {
      await client.sessions.delete.mutate({ sessionId });
      router.push("/sessions");
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title="Delete this session?"
        description="Its history, messages and stored secrets are removed for good. Files in its working directory stay."
      >
        <p className="font-mono text-sm [overflow-wrap:anywhere]">{sessionId}</p>
        {isBusy ? <p className="mt-2 text-warning">The running turn is cancelled first.</p> : null}
        {failure === null ? null : (
          <p role="alert" className="mt-2 text-danger">
            Not deleted: {failure.message}
          </p>
        )}
        <DialogFooter>
          <DialogClose asChild>
            <Button>Keep</Button>
          </DialogClose>
          <Button variant="danger" disabled={isSending} onClick={() => void remove()}>
            {isSending ? "Deleting" : "Delete session"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
