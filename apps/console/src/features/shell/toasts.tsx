"use client";

import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { drawToasts } from "../../lib/toast.ts";

export function Toasts() {
  const { theme } = useTheme();
  // Runs after the toaster's own effect, which begins to listen.
  useEffect(() => drawToasts(toast), []);
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
