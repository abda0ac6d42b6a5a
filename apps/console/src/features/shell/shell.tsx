"use client";

import { usePathname, useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { usePendingCount } from "../../lib/fleet.tsx";
import { useHotkeys } from "../../lib/hotkeys.ts";
import { useSwitch } from "../../lib/preference.ts";
import { sessionIdOf } from "../../lib/session-href.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { DesktopNotices } from "./desktop-notices.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabTitle } from "./tab-title.tsx";
import { TopBar } from "./top-bar.tsx";
import { useDensity } from "./use-density.ts";

const HelpDialog = lazy(() =>
  import("./help-dialog.tsx").then((module) => ({ default: module.HelpDialog })),
);

const Palette = lazy(() =>
  import("../palette/palette.tsx").then((module) => ({ default: module.Palette })),
);

/** The frame around every page: a sidebar on a wide screen, bars above and below on a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const router = useRouter();
  const pathname = usePathname();
  const pendingCount = usePendingCount();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasHotkeys, setHotkeys] = useSwitch("hotkeys");
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = () => setPaletteOpen(true);
  useDensity();
  const openHelp = () => setHelpOpen(true);
  useHotkeys(
    {
      "g i": () => router.push("/inbox"),
      "g s": () => router.push("/sessions"),
      "g u": () => router.push("/usage"),
      "g a": () => router.push("/agents"),
      "g ,": () => router.push("/settings"),
      n: () => router.push("/sessions/new"),
      "/": openPalette,
    },
    hasHotkeys,
  );
  // Stays on when the rest is off: it is the way to the switch.
  useHotkeys({ "?": openHelp }, true);
  usePaletteKey(() => setPaletteOpen((isOpen) => !isOpen));
  // A session needs the height for its own composer.
  const isSession = pathname.startsWith("/s/") && !pathname.endsWith("/events");

  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <TabTitle />
      <DesktopNotices />
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-accent-text focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <TopBar onHelp={openHelp} onPalette={openPalette} isSession={isSession} />
      <Sidebar pendingCount={pendingCount} onHelp={openHelp} onPalette={openPalette} />
      <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
        {children}
      </main>
      {isSession ? null : <BottomBar pendingCount={pendingCount} />}
      <PendingAnnouncer count={pendingCount} />
      {isPaletteOpen ? (
        <Suspense>
          <Palette
            sessionId={openSessionId(pathname)}
            onClose={() => setPaletteOpen(false)}
            onHelp={openHelp}
          />
        </Suspense>
      ) : null}
      {isHelpOpen ? (
        <Suspense>
          <HelpDialog
            isOpen
            onOpenChange={setHelpOpen}
            hasHotkeys={hasHotkeys}
            onHotkeys={setHotkeys}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The session of a page; null on any other, and for the ids that travel in the query. */
function openSessionId(pathname: string): string | null {
  const [, root, segment] = pathname.split("/");
  return root === "s" && segment !== undefined ? sessionIdOf(segment, undefined) : null;
}

/** Ctrl+K or ⌘K wherever the focus is: it is no text, so a field may have it. */
function usePaletteKey(toggle: () => void): void {
  const latest = useRef(toggle);
  useEffect(() => {
    latest.current = toggle;
  });
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function PendingAnnouncer({ count }: { count: number }) {
  return (
    <p role="status" className="sr-only">
      {count === 0
        ? ""
        : `${count} ${count === 1 ? "request is" : "requests are"} waiting for an answer`}
    </p>
  );
}
