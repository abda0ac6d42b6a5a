"use client";

import { Tooltip as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

export const TooltipProvider = Primitive.Provider;

type TooltipProps = {
  content: ReactNode;
  /** One element that can take focus or hold a ref. */
  children: ReactNode;
  side?: ComponentProps<typeof Primitive.Content>["side"];
  className?: string;
};

/** Says more about its child on hover and focus. Nothing that is needed may live only here. */
export function Tooltip({ content, children, side, className }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          {...(side === undefined ? {} : { side })}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            "z-50 max-w-xs break-words rounded-md border border-border bg-raised px-2 py-1 text-text text-xs shadow-pop",
            "data-[state=delayed-open]:animate-in data-[state=delayed-open]:fade-in-0",
            className,
          )}
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
