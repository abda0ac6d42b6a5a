import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

type PageProps = {
  title: ReactNode;
  /** Beside the title: counts, state. */
  meta?: ReactNode;
  actions?: ReactNode;
  /** A row under the title that stays while the content scrolls. */
  toolbar?: ReactNode;
  children: ReactNode;
  /** Narrow pages are for reading and forms. */
  width?: "full" | "narrow";
};

/** One page of the console: a head that stays and a body that scrolls. */
export function Page({ title, meta, actions, toolbar, children, width = "full" }: PageProps) {
  const column = "mx-auto w-full max-w-7xl px-4 md:px-6";
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="shrink-0 border-b bg-background">
        <div className={cn(column, "flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-2")}>
          <h1 className="font-semibold text-lg tracking-tight">{title}</h1>
          {meta}
          <div className="ml-auto flex items-center gap-2">{actions}</div>
        </div>
        {toolbar === undefined ? null : <div className={cn(column, "pb-3")}>{toolbar}</div>}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className={cn(column, "py-4")}>
          <div className={width === "narrow" ? "max-w-3xl" : undefined}>{children}</div>
        </div>
      </div>
    </div>
  );
}
