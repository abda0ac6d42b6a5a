import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";
import { fieldClasses } from "./input.tsx";

/** The browser's own select: right on every keyboard, phone and screen reader. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <span className={cn("relative inline-flex min-w-0", className)}>
      <select
        className={cn(
          fieldClasses,
          "h-8 appearance-none text-ellipsis pr-7 pl-2.5 pointer-coarse:h-10",
        )}
        {...props}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 size-3.5 text-muted"
      />
    </span>
  );
}
