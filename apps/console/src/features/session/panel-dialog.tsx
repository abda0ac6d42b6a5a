"use client";

import { Dialog, DialogContent } from "../../components/ui/dialog.tsx";
import { type PanelContent, SessionPanel } from "./session-panel.tsx";

/** The session's details where there is no room for them beside the transcript. */
export function PanelDialog({ panel, onClose }: { panel: PanelContent; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent title="Session details">
        <div className="-mx-5 -mb-5">
          <SessionPanel {...panel} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
