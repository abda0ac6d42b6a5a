import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** Shared by input, textarea and select. 16 px on touch: smaller makes phones zoom in. */
export const fieldClasses =
  "w-full min-w-0 rounded-md border border-border-strong bg-surface text-text text-sm transition-[border-color] hover:border-faint focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-ring/40 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger pointer-coarse:text-lg";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      type={type}
      className={cn(fieldClasses, "h-8 px-2.5 pointer-coarse:h-10", className)}
      {...props}
    />
  );
}
