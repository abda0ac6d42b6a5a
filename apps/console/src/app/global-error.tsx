"use client";

import { ErrorPanel } from "../components/error-panel.tsx";
import "./globals.css";

/** Shown when the frame of the page itself fails; it has no theme and no providers above it. */
export default function GlobalError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Signalbox</title>
        <ErrorPanel error={error} onRetry={reset} className="pt-[20dvh]" />
      </body>
    </html>
  );
}
