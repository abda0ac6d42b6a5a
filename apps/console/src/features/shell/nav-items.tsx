"use client";

import { Bot, Inbox, ListTree } from "lucide-react";
import type { ReactNode } from "react";

export interface NavItem {
  href: "/inbox" | "/sessions" | "/agents";
  label: string;
  icon: ReactNode;
  keys: string;
}

export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/inbox", label: "Inbox", icon: <Inbox aria-hidden />, keys: "g i" },
  { href: "/sessions", label: "Sessions", icon: <ListTree aria-hidden />, keys: "g s" },
  { href: "/agents", label: "Agents", icon: <Bot aria-hidden />, keys: "g a" },
];

/** The number on the inbox; takes no room when there is none. */
export function PendingBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="ml-auto min-w-5 rounded-full bg-warning px-1.5 text-center font-semibold text-2xs text-background tabular-nums leading-5">
      {count > 999 ? "999+" : count}
      <span className="sr-only"> pending</span>
    </span>
  );
}
