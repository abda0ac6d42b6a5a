"use client";

import type { SessionInfo, SessionStatus } from "@signalbox/protocol";
import { Ellipsis, PanelRight } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { adapterWord, StateLabel } from "../../components/session-state.tsx";
import { Button } from "../../components/ui/button.tsx";
import { VisibleText } from "./content/visible-code.tsx";
import type { usageWords } from "./usage.ts";

const fetchMenu = () => import("./session-menu-open.tsx");
const OpenMenu = lazy(() => fetchMenu().then((module) => ({ default: module.OpenSessionMenu })));

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
              <VisibleText text={title ?? sessionId} />
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
          <span
            title={usage.long}
            className="shrink-0 rounded-sm bg-hover px-1.5 text-muted text-xs tabular-nums leading-5 max-sm:hidden"
          >
            {usage.short}
          </span>
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
          <LazyMenu
            menu={OpenMenu}
            fetchMenu={fetchMenu}
            menuProps={{ sessionId, session, actions }}
            button={
              <Button variant="ghost" size="icon" aria-label="Session menu">
                <Ellipsis aria-hidden />
              </Button>
            }
          />
        </div>
      </div>
    </header>
  );
}
