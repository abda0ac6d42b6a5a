import type { ComponentProps } from "react";
import { cn } from "../../../lib/cn.ts";

/** A part of the page that scrolls by itself and can therefore be reached by keys. */
export function ScrollBox({
  label,
  className,
  ...props
}: Omit<ComponentProps<"section">, "aria-label" | "tabIndex"> & { label: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it keys could not scroll the box
      tabIndex={0}
      aria-label={label}
      className={cn("overflow-auto -outline-offset-2", className)}
      {...props}
    />
  );
}
