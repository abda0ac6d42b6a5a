import type { ComponentProps } from "react";
import { cn } from "../../../lib/cn.ts";

/**
 * A part of the page that scrolls by itself and can therefore be reached by keys. A group and no
 * region: there are many with one label, and landmarks must be told apart.
 */
export function ScrollBox({
  label,
  className,
  ...props
}: Omit<ComponentProps<"div">, "aria-label" | "tabIndex"> & { label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it keys could not scroll the box
      tabIndex={0}
      aria-label={label}
      className={cn("overflow-auto -outline-offset-2", className)}
      {...props}
    />
  );
}
