"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { Eject, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import type { BulkAct } from "./bulk-dialog.tsx";

const BulkDialog = lazy(() =>
  import("./bulk-dialog.tsx").then((module) => ({ default: module.BulkDialog })),
);

/** What can be done with the sessions that are selected. */
export function BulkBar({ sessions, onClear }: { sessions: SessionInfo[]; onClear: () => void }) {
  /** Held while the dialog is open: what it lists must not change under the operator. */
  const [asked, setAsked] = useState<{ act: BulkAct; sessions: SessionInfo[] } | null>(null);
  const close = () => {
    setAsked(null);
    onClear();
  };
  return (
    <>
      {sessions.length === 0 ? null : (
        <div className="mb-3 flex flex-wrap items-center gap-2 rounded-lg border bg-surface px-3 py-2">
          <span className="mr-auto">
            {sessions.length} {sessions.length === 1 ? "session" : "sessions"} selected
          </span>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear the selection
          </Button>
          <Button size="sm" onClick={() => setAsked({ act: "unload", sessions })}>
            <Eject aria-hidden />
            Unload…
          </Button>
          <Button
            size="sm"
            variant="danger-outline"
            onClick={() => setAsked({ act: "delete", sessions })}
          >
            <Trash2 aria-hidden />
            Delete…
          </Button>
        </div>
      )}
      {asked === null ? null : (
        <Suspense>
          <BulkDialog {...asked} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
