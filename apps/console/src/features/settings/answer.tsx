"use client";

import type { ReactNode } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { failureOf } from "../../lib/failure.ts";

type AnswerProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => Promise<unknown> };
  children: (data: T) => ReactNode;
};

/** What a query brought, or that it is on its way, or why it is not shown. */
export function Answer<T>({ query, children }: AnswerProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Skeleton className="h-24" />;
  if (failureOf(query.error).appCode === "forbidden") {
    return (
      <EmptyState title="For administrators" className="rounded-lg border border-dashed py-8">
        This login may not see it.
      </EmptyState>
    );
  }
  return (
    <ErrorPanel error={query.error} onRetry={() => void query.refetch().catch(() => undefined)} />
  );
}
