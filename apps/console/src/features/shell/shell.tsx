"use client";

import { usePathname, useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { usePendingCount } from "../../lib/fleet.tsx";
import { useHotkeys } from "../../lib/hotkeys.ts";
import { useSwitch } from "../../lib/preference.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { DesktopNotices } from "./desktop-notices.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TabTitle } from "./tab-title.tsx";
import { TopBar } from "./top-bar.tsx";
import { useDensity } from "./use-density.ts";

const HelpDialog = lazy(() =>
  import("./help-dialog.tsx").then((module) => ({ default: module.HelpDialog })),
);

/** The frame around every page: a sidebar on a wide screen, bars above and below on a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const router = useRouter();
  const pathname = usePathname();
  const pendingCount = usePendingCount();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasHotkeys, setHotkeys] = useSwitch("hotkeys");
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
    },
    hasHotkeys,
  );
  // Stays on when the rest is off: it is the way to the switch.
  useHotkeys({ "?": openHelp }, true);
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
      <TopBar onHelp={openHelp} isSession={isSession} />
      <Sidebar pendingCount={pendingCount} onHelp={openHelp} />
      <main id="main" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
        {children}
      </main>
      {isSession ? null : <BottomBar pendingCount={pendingCount} />}
      <PendingAnnouncer count={pendingCount} />
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

function PendingAnnouncer({ count }: { count: number }) {
  return (
    <p role="status" className="sr-only">
      {count === 0
        ? ""
        : `${count} ${count === 1 ? "request is" : "requests are"} waiting for an answer`}
    </p>
  );
}
