import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** Takes its room at once and shows after 150 ms, so that quick answers do not flash. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div aria-hidden className="animate-appear" {...props}>
      <div className={cn("h-4 animate-pulse rounded-sm bg-hover", className)} />
    </div>
  );
}
