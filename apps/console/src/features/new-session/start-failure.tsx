"use client";

import type { Failure } from "../../lib/failure.ts";

/** Why a session could not be opened, with what the agent last wrote to stderr. */
export function StartFailure({ failure }: { failure: Failure }) {
  const tail = failure.details?.stderrTail;
  return (
    <div role="alert" className="rounded-md border border-danger/40 bg-danger-soft px-3 py-2.5">
      <p className="break-words font-medium text-danger">{failure.message}</p>
      {failure.appCode === null ? null : <p className="font-mono text-xs">{failure.appCode}</p>}
      {typeof tail === "string" && tail.trim() !== "" ? (
        <pre className="mt-2 max-h-48 overflow-auto whitespace-pre-wrap break-words rounded-sm bg-inset p-2 font-mono text-xs">
          {tail}
        </pre>
      ) : null}
    </div>
  );
}
