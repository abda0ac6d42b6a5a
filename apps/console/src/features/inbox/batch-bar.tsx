"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import type { InboxEntry } from "./inbox-entry.ts";

const BatchDialog = lazy(() =>
  import("./batch-dialog.tsx").then((module) => ({ default: module.BatchDialog })),
);

/** What can be done with the requests that are selected. */
export function BatchBar({ entries, onClear }: { entries: InboxEntry[]; onClear: () => void }) {
  /** Held while the dialog is open: what it lists must not change under the operator. */
  const [listed, setListed] = useState<InboxEntry[] | null>(null);
  const close = () => {
    setListed(null);
    onClear();
  };
  return (
    <>
      {entries.length === 0 ? null : (
        <div className="mb-4 flex flex-wrap items-center gap-2 rounded-lg border bg-surface px-3 py-2">
          <span className="mr-auto">
            {entries.length} {entries.length === 1 ? "request" : "requests"} selected
          </span>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear the selection
          </Button>
          <Button size="sm" variant="primary" onClick={() => setListed(entries)}>
            Answer together…
          </Button>
        </div>
      )}
      {listed === null ? null : (
        <Suspense>
          <BatchDialog entries={listed} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
