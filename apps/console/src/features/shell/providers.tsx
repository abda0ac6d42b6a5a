"use client";

import { ThemeProvider } from "next-themes";
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import { hasToasts, watchToasts } from "../../lib/toast.ts";

const Toasts = lazy(() => import("./toasts.tsx").then((module) => ({ default: module.Toasts })));

/** What every page has, logged in or not. */
export function Providers({ nonce, children }: { nonce: string | null; children: ReactNode }) {
  const isTelling = useSyncExternalStore(watchToasts, hasToasts, () => false);
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      storageKey="signalbox.theme"
      disableTransitionOnChange
      {...(nonce === null ? {} : { nonce })}
    >
      {children}
      {isTelling ? (
        <Suspense>
          <Toasts />
        </Suspense>
      ) : null}
    </ThemeProvider>
  );
}
