"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleUser, Keyboard, LogOut } from "lucide-react";
import Link from "next/link";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { dropToken } from "../../lib/token.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { NAV_ITEMS } from "./nav-items.tsx";

export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const trpc = useTRPC();
  const info = useQuery(trpc.system.info.queryOptions());
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label="Account and help">
          <CircleUser aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>
          Signalbox {info.data === undefined ? "" : info.data.version}
        </DropdownMenuLabel>
        {NAV_ITEMS.filter((item) => !item.isOnPhone).map(({ href, icon, label }) => (
          <DropdownMenuItem key={href} asChild className="md:hidden">
            <Link href={href}>
              {icon} {label}
            </Link>
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem onSelect={onHelp}>
          <Keyboard aria-hidden /> Keyboard shortcuts
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => dropToken(null)}>
          <LogOut aria-hidden /> Log out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
