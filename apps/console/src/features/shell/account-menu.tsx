"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleUser, Keyboard, LogOut } from "lucide-react";
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
