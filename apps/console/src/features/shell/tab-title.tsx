"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { usePendingCount, useSessions } from "../../lib/fleet.tsx";
import { sessionIdOf } from "../../lib/session-href.ts";
import { tabTitle } from "./title-text.ts";

/** The browser tab's title, with the number of requests that wait for an answer. */
export function TabTitle() {
  const pathname = usePathname();
  const id = useSearchParams().get("id") ?? undefined;
  const count = usePendingCount();
  const { sessions } = useSessions();
  const segment = pathname.startsWith("/s/") ? (pathname.split("/")[2] ?? null) : null;
  const sessionId = segment === null ? null : sessionIdOf(segment, id);
  const session = sessions.find((row) => row.sessionId === sessionId);
  return <title>{tabTitle(pathname, count, session?.title ?? sessionId)}</title>;
}
