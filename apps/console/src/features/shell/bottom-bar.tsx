"use client";

import { SquarePen } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { NAV_ITEMS } from "./nav-items.tsx";

const itemClasses =
  "relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 font-medium text-2xs text-muted -outline-offset-2 aria-[current=page]:text-accent [&_svg]:size-5";

export function BottomBar({ pendingCount }: { pendingCount: number }) {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Main"
      className="flex shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {NAV_ITEMS.filter((item) => item.isOnPhone).map((item) => (
        <Link
          key={item.href}
          href={item.href}
          aria-current={pathname === item.href ? "page" : undefined}
          className={itemClasses}
        >
          {item.icon}
          {item.label}
          {item.href === "/inbox" && pendingCount > 0 ? (
            <span className="absolute top-1.5 left-[calc(50%+6px)] min-w-4 rounded-full bg-warning px-1 text-center font-semibold text-2xs text-background leading-4">
              {pendingCount > 99 ? "99+" : pendingCount}
              <span className="sr-only"> pending</span>
            </span>
          ) : null}
        </Link>
      ))}
      <Link
        href="/sessions/new"
        aria-current={pathname === "/sessions/new" ? "page" : undefined}
        className={itemClasses}
      >
        <SquarePen aria-hidden />
        New session
      </Link>
    </nav>
  );
}
