import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

export const buttonVariants = cva(
  [
    "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md",
    "font-medium text-sm transition-[color,background-color,border-color] duration-100",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
    "[&_svg]:pointer-events-none [&_svg]:size-4 [&_svg]:shrink-0",
  ],
  {
    variants: {
      variant: {
        primary: "bg-accent text-accent-text not-disabled:hover:bg-accent-hover",
        secondary:
          "border border-border-strong bg-surface text-text not-disabled:hover:bg-hover data-[state=open]:bg-hover",
        ghost:
          "text-muted not-disabled:hover:bg-hover not-disabled:hover:text-text data-[state=open]:bg-hover data-[state=open]:text-text",
        danger: "bg-danger text-danger-text not-disabled:hover:bg-danger-hover",
        "danger-outline":
          "border border-border-strong bg-surface text-danger not-disabled:hover:border-danger not-disabled:hover:bg-danger-soft",
        link: "text-accent underline-offset-4 not-disabled:hover:underline",
      },
      size: {
        sm: "h-7 px-2.5 text-xs pointer-coarse:h-9",
        md: "h-8 px-3 pointer-coarse:h-10",
        lg: "h-9 px-4 pointer-coarse:h-11",
        icon: "size-8 pointer-coarse:size-10",
        "icon-sm": "size-7 pointer-coarse:size-9",
      },
    },
    compoundVariants: [{ variant: "link", class: "h-auto px-0 pointer-coarse:h-auto" }],
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Renders the only child (a link, say) with the looks of a button. */
    asChild?: boolean;
  };

export function Button({ className, variant, size, asChild = false, type, ...props }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  if (asChild) return <Slot.Root className={classes} {...props} />;
  return <button type={type ?? "button"} className={classes} {...props} />;
}
