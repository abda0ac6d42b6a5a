import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

type EmptyStateProps = {
  icon?: ReactNode;
  title: ReactNode;
  /** What is so, and what to do next. */
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
};

export function EmptyState({ icon, title, children, actions, className }: EmptyStateProps) {
  return (
    <div
      className={cn(
        "mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center [&>svg]:size-9 [&>svg]:text-faint",
        className,
      )}
    >
      {icon}
      <h2 className="mt-3 font-semibold text-base">{title}</h2>
      {children === undefined ? null : <div className="mt-1 text-muted">{children}</div>}
      {actions === undefined ? null : (
        <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>
      )}
    </div>
  );
}
