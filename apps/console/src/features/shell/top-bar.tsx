"use client";

import { ChevronLeft, Search } from "lucide-react";
import Link from "next/link";
import { Logo } from "../../components/logo.tsx";
import { Button } from "../../components/ui/button.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

type TopBarProps = { onHelp: () => void; onPalette: () => void; isSession: boolean };

/** The phone's bar above the page; in a session it leads back to the list. */
export function TopBar({ onHelp, onPalette, isSession }: TopBarProps) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b bg-surface px-3 md:hidden">
      {isSession ? (
        <Button asChild variant="ghost" className="-ml-2 px-2">
          <Link href="/sessions">
            <ChevronLeft aria-hidden /> Sessions
          </Link>
        </Button>
      ) : (
        <Link href="/" className="flex items-center gap-2 rounded-sm">
          <Logo />
          <span className="font-semibold text-base">Signalbox</span>
        </Link>
      )}
      <span className="ml-auto flex items-center">
        <ConnectionPill />
        <Button variant="ghost" size="icon-sm" aria-label="Search" onClick={onPalette}>
          <Search aria-hidden />
        </Button>
        <ThemeMenu />
        <AccountMenu onHelp={onHelp} />
      </span>
    </header>
  );
}
