"use client";

import type { SessionInfo } from "@signalbox/protocol";
import { Copy, Download, Eject, List, Trash2 } from "lucide-react";
import Link from "next/link";
import type { MenuProps } from "../../components/lazy-menu.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { eventsHref } from "../../lib/session-href.ts";
import { toast } from "../../lib/toast.ts";
import { useDownload } from "../../lib/use-download.ts";
import type { SessionActions } from "./session-header.tsx";

export function OpenSessionMenu({
  button,
  sessionId,
  session,
  actions,
}: MenuProps & {
  sessionId: string;
  session: SessionInfo | null;
  actions: SessionActions;
}) {
  const download = useDownload(sessionId);
  const copy = () => {
    navigator.clipboard.writeText(sessionId).then(
      () => toast.success("Session id copied"),
      () => toast.error("The browser refused access to the clipboard"),
    );
  };
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{button}</DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={copy}>
          <Copy aria-hidden />
          Copy session id
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href={eventsHref(sessionId)}>
            <List aria-hidden />
            Stored events
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => download("markdown")}>
          <Download aria-hidden />
          Download transcript
        </DropdownMenuItem>
        <DropdownMenuItem
          disabled={session === null || session.adapter === "unloaded"}
          onSelect={actions.onUnload}
        >
          <Eject aria-hidden />
          Unload agent
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem destructive onSelect={actions.onDelete}>
          <Trash2 aria-hidden />
          Delete session…
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
