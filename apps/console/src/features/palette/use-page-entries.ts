"use client";

import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { failureOf } from "../../lib/failure.ts";
import { eventsHref } from "../../lib/session-href.ts";
import { toast } from "../../lib/toast.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { useDownload } from "../../lib/use-download.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const PAGES = [
  ["/inbox", "Inbox", "requests questions failures"],
  ["/sessions", "Sessions", "list"],
  ["/usage", "Usage", "cost tokens charts"],
  ["/agents", "Agents", "processes doctor"],
  ["/settings", "Settings", "tokens audit theme"],
  ["/sessions/new", "New session", "open start"],
] as const;

const THEMES = [
  ["system", "Theme: like the system"],
  ["light", "Theme: light"],
  ["dark", "Theme: dark"],
] as const;

/** Pages, the session that is open, and the theme. */
export function usePageEntries(sessionId: string | null, onHelp: () => void): PaletteEntry[] {
  const router = useRouter();
  const { setTheme } = useTheme();
  const ofSession = useSessionEntries(sessionId);
  return [
    ...ofSession,
    ...PAGES.map(([href, label, hint]) => ({
      id: href,
      group: "Go to",
      label,
      hint,
      detail: null,
      run: () => router.push(href),
    })),
    ...THEMES.map(([theme, label]) => ({
      id: theme,
      group: "This browser",
      label,
      hint: "colours appearance",
      detail: null,
      run: () => setTheme(theme),
    })),
    {
      id: "help",
      group: "This browser",
      label: "Keyboard shortcuts",
      hint: "help keys",
      detail: null,
      run: onHelp,
    },
  ];
}

function useSessionEntries(sessionId: string | null): PaletteEntry[] {
  const client = useTRPCClient();
  const router = useRouter();
  const download = useDownload(sessionId ?? "");
  if (sessionId === null) return [];
  const act = (failed: string, call: () => Promise<unknown>) => () => {
    call().catch((error: unknown) =>
      toast.error(failed, { description: failureOf(error).message }),
    );
  };
  const { cancelPrompt, unload } = client.sessions;
  const acts: readonly (readonly [string, string, () => void])[] = [
    ["Cancel the turn", "stop", act("Not cancelled", () => cancelPrompt.mutate({ sessionId }))],
    ["Unload the agent", "stop process", act("Not unloaded", () => unload.mutate({ sessionId }))],
    ["Stored events", "raw history", () => router.push(eventsHref(sessionId))],
    ["Download the transcript", "export markdown", () => download("markdown")],
    ["Download all events", "export jsonl json lines", () => download("jsonl")],
  ];
  return acts.map(([label, hint, run]) => ({
    id: label,
    group: "This session",
    label,
    hint,
    detail: null,
    run,
  }));
}
