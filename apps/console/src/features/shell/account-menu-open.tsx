"use client";

import { useQuery } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import Link from "next/link";
import type { MenuProps } from "../../components/lazy-menu.tsx";
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

export function OpenAccountMenu({ button, onHelp }: MenuProps & { onHelp: () => void }) {
  const trpc = useTRPC();
  const info = useQuery(trpc.system.info.queryOptions());
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{button}</DropdownMenuTrigger>
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
