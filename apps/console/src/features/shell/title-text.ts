const PAGE_TITLES: Record<string, string> = {
  "/inbox": "Inbox",
  "/sessions": "Sessions",
  "/sessions/new": "New session",
  "/agents": "Agents",
  "/usage": "Usage",
  "/settings": "Settings",
};

/** "(3) Inbox · Signalbox": the number first, where a narrow tab still shows it. */
export function tabTitle(pathname: string, pending: number, session: string | null): string {
  const page = PAGE_TITLES[pathname] ?? session;
  const name = page === null ? "Signalbox" : `${page} · Signalbox`;
  return pending === 0 ? name : `(${pending}) ${name}`;
}
