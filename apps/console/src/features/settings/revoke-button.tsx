"use client";

import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { failureOf } from "../../lib/failure.ts";

type RevokeButtonProps = {
  /** As in "Revoke …?" */
  what: string;
  consequence: string;
  mutation: { error: unknown; isPending: boolean };
  onRevoke: () => void;
};

/** Asks once more before it revokes. */
export function RevokeButton({ what, consequence, mutation, onRevoke }: RevokeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="danger-outline" onClick={() => setOpen(true)}>
        Revoke<span className="sr-only"> {what}</span>
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent title={`Revoke ${what}?`} description={consequence}>
          {mutation.error === null ? null : (
            <p role="alert" className="text-danger">
              Not revoked: {failureOf(mutation.error).message}
            </p>
          )}
          <DialogFooter>
            <DialogClose asChild>
              <Button>Keep</Button>
            </DialogClose>
            <Button variant="danger" disabled={mutation.isPending} onClick={onRevoke}>
              {mutation.isPending ? "Revoking…" : "Revoke"}
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </>
  );
}
