"use client";

import { ErrorPanel } from "../components/error-panel.tsx";

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  return <ErrorPanel error={error} onRetry={reset} className="pt-[20dvh]" />;
}
