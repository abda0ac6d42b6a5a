"use client";

import { Bot, ChartColumn, Inbox, ListTree, Settings } from "lucide-react";
import type { ReactNode } from "react";

export interface NavItem {
  href: "/inbox" | "/sessions" | "/usage" | "/agents" | "/settings";
  label: string;
  icon: ReactNode;
  /** Has a place in a phone's bottom bar; the others stand in the account menu there. */
  isOnPhone: boolean;
}

export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/inbox", label: "Inbox", icon: <Inbox aria-hidden />, isOnPhone: true },
  { href: "/sessions", label: "Sessions", icon: <ListTree aria-hidden />, isOnPhone: true },
  { href: "/usage", label: "Usage", icon: <ChartColumn aria-hidden />, isOnPhone: false },
  { href: "/agents", label: "Agents", icon: <Bot aria-hidden />, isOnPhone: true },
  { href: "/settings", label: "Settings", icon: <Settings aria-hidden />, isOnPhone: false },
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
