"use client";

import { Switch as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-border-strong bg-hover transition-colors disabled:cursor-not-allowed disabled:opacity-50",
        "data-[state=checked]:border-accent data-[state=checked]:bg-accent",
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-surface shadow-sm ring-1 ring-border-strong transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:ring-transparent" />
    </Primitive.Root>
  );
}
