"use client";

import type { SessionInfo, SessionStatus } from "@signalbox/protocol";
import { Copy, Download, Eject, Ellipsis, List, PanelRight, Trash2 } from "lucide-react";
import Link from "next/link";
import { toast } from "sonner";
import { adapterWord, StateLabel } from "../../components/session-state.tsx";
import { Button } from "../../components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../components/ui/dropdown-menu.tsx";
import { Tooltip } from "../../components/ui/tooltip.tsx";
import { eventsHref } from "../../lib/session-href.ts";
import { useDownload } from "../../lib/use-download.ts";
import type { usageWords } from "./usage.ts";

export interface SessionActions {
  onPanel: () => void;
  onUnload: () => void;
  onDelete: () => void;
}

export function SessionHeader({
  sessionId,
  title,
  session,
  status,
  usage,
  actions,
}: {
  sessionId: string;
  title: string | null;
  session: SessionInfo | null;
  status: SessionStatus | null;
  usage: ReturnType<typeof usageWords>;
  actions: SessionActions;
}) {
  return (
    <header className="shrink-0 border-b bg-background">
      <div className="flex min-h-12 items-center gap-3 px-4 py-1.5 md:px-6">
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 items-center gap-2.5">
            <h1 className="min-w-0 truncate font-semibold text-base tracking-tight">
              {title ?? sessionId}
            </h1>
            {status === null ? null : <StateLabel status={status} className="text-xs" />}
          </div>
          {session === null ? null : (
            <p className="flex min-w-0 items-center gap-1.5 text-muted text-xs">
              <span className="shrink-0">{session.agent}</span>
              <span aria-hidden>·</span>
              <span className="shrink-0">{adapterWord(session.adapter).toLowerCase()}</span>
              <span aria-hidden>·</span>
              <span className="min-w-0 truncate font-mono" title={session.cwd}>
                {session.cwd}
              </span>
            </p>
          )}
        </div>
        {usage === null ? null : (
          <Tooltip content={usage.long}>
            <button
              type="button"
              className="cursor-default! shrink-0 rounded-sm bg-hover px-1.5 text-muted text-xs tabular-nums leading-5 max-sm:hidden"
            >
              {usage.short}
            </button>
          </Tooltip>
        )}
        <div className="flex shrink-0 items-center gap-1">
          <Button
            variant="ghost"
            size="icon"
            aria-label="Session details"
            onClick={actions.onPanel}
            className="xl:hidden"
          >
            <PanelRight aria-hidden />
          </Button>
          <SessionMenu sessionId={sessionId} session={session} actions={actions} />
        </div>
      </div>
    </header>
  );
}

function SessionMenu({
  sessionId,
  session,
  actions,
}: {
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
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="Session menu">
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
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
