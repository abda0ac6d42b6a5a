"use client";

import { TriangleAlert } from "lucide-react";
import { failureOf } from "../lib/failure.ts";
import { Button } from "./ui/button.tsx";
import { EmptyState } from "./ui/empty-state.tsx";

type ErrorPanelProps = {
  error: unknown;
  onRetry?: () => void;
  className?: string;
};

/** A failure in place of what could not be shown: what the server said, its code, and a way on. */
export function ErrorPanel({ error, onRetry, className }: ErrorPanelProps) {
  const failure = failureOf(error);
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert aria-hidden className="text-danger!" />}
        title="This could not be shown"
        {...(className === undefined ? {} : { className })}
        actions={onRetry === undefined ? undefined : <Button onClick={onRetry}>Retry</Button>}
      >
        <p className="break-words">{failure.message}</p>
        {failure.appCode === null ? null : (
          <p className="mt-1 font-mono text-xs">{failure.appCode}</p>
        )}
      </EmptyState>
    </div>
  );
}
