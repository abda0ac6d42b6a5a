"use client";

import { ThemeProvider, useTheme } from "next-themes";
import type { ReactNode } from "react";
import { Toaster } from "sonner";
import { TooltipProvider } from "../../components/ui/tooltip.tsx";

/** What every page has, logged in or not. */
export function Providers({ nonce, children }: { nonce: string | null; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      storageKey="signalbox.theme"
      disableTransitionOnChange
      {...(nonce === null ? {} : { nonce })}
    >
      <TooltipProvider delayDuration={350} skipDelayDuration={200}>
        {children}
      </TooltipProvider>
      <Toasts />
    </ThemeProvider>
  );
}

function Toasts() {
  const { theme } = useTheme();
  return (
    <Toaster
      theme={theme === "light" || theme === "dark" ? theme : "system"}
      position="bottom-right"
      mobileOffset={{ bottom: "calc(4.5rem + env(safe-area-inset-bottom))" }}
      toastOptions={{
        classNames: {
          toast: "!bg-raised !border-border !text-text !shadow-pop !rounded-lg !text-sm",
          description: "!text-muted",
        },
      }}
    />
  );
}
