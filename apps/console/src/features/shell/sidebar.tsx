"use client";

import { Plus, Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Logo } from "../../components/logo.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Kbd } from "../../components/ui/kbd.tsx";
import { cn } from "../../lib/cn.ts";
import { AccountMenu } from "./account-menu.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { NAV_ITEMS, PendingBadge } from "./nav-items.tsx";
import { SessionNav } from "./session-nav.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

type SidebarProps = { pendingCount: number; onHelp: () => void; onPalette: () => void };

export function Sidebar({ pendingCount, onHelp, onPalette }: SidebarProps) {
  const pathname = usePathname();
  return (
    <aside
      aria-label="Console"
      className="hidden w-60 shrink-0 flex-col border-r bg-surface md:flex"
    >
      <div className="flex h-14 shrink-0 items-center px-4">
        <Link href="/" className="flex items-center gap-2 rounded-sm">
          <Logo />
          <span className="font-semibold text-base">Signalbox</span>
        </Link>
      </div>
      <div className="px-2 pb-2">
        <Button className="w-full justify-start px-2 text-muted" onClick={onPalette}>
          <Search aria-hidden />
          Search
          <span aria-hidden className="ml-auto flex gap-1">
            <Kbd>Ctrl</Kbd>
            <Kbd>K</Kbd>
          </span>
        </Button>
      </div>
      <nav aria-label="Main" className="shrink-0 space-y-0.5 px-2">
        {NAV_ITEMS.map((item) => (
          <Link
            key={item.href}
            href={item.href}
            aria-current={pathname === item.href ? "page" : undefined}
            className={cn(
              "flex h-8 items-center gap-2 rounded-md px-2 font-medium text-muted hover:bg-hover hover:text-text [&_svg]:size-4",
              "aria-[current=page]:bg-hover aria-[current=page]:text-text",
            )}
          >
            {item.icon}
            {item.label}
            {item.href === "/inbox" ? <PendingBadge count={pendingCount} /> : null}
          </Link>
        ))}
        <Button asChild className="mt-2 w-full justify-start px-2">
          <Link href="/sessions/new">
            <Plus aria-hidden />
            New session
          </Link>
        </Button>
      </nav>
      <SessionNav />
      <div className="flex shrink-0 items-center gap-1 border-t p-2">
        <ConnectionPill />
        <span className="ml-auto flex">
          <ThemeMenu />
          <AccountMenu onHelp={onHelp} />
        </span>
      </div>
    </aside>
  );
}
