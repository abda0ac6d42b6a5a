"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { eventHref, sessionHref } from "../../lib/session-href.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { isSearchable, type PaletteEntry } from "./palette-entry.ts";

const SESSIONS = 6;
const HITS_HERE = 6;
const HITS = 8;

/** What the server finds: sessions by name, and what was said, in the open session first. */
export function useFoundEntries(query: string, sessionId: string | null) {
  const trpc = useTRPC();
  const isAsked = isSearchable(query);
  const asking = { enabled: isAsked, placeholderData: keepPreviousData };
  const sessions = useQuery(
    trpc.sessions.list.queryOptions({ search: query, limit: SESSIONS }, asking),
  );
  const here = useQuery(
    trpc.sessions.search.queryOptions(
      { query, limit: HITS_HERE, sessionId: sessionId ?? "" },
      { ...asking, enabled: isAsked && sessionId !== null },
    ),
  );
  const everywhere = useQuery(trpc.sessions.search.queryOptions({ query, limit: HITS }, asking));
  const hitEntries = useHitEntries();
  const sessionEntries = useSessionEntries();
  if (!isAsked) return { entries: [], isSearching: false, error: null };
  const hitsHere = sessionId === null ? [] : (here.data?.hits ?? []);
  const elsewhere = (everywhere.data?.hits ?? []).filter((hit) => hit.sessionId !== sessionId);
  return {
    entries: [
      ...sessionEntries(sessions.data?.sessions ?? []),
      ...hitEntries("In this session", hitsHere),
      ...hitEntries(sessionId === null ? "Messages" : "In other sessions", elsewhere),
    ],
    isSearching: sessions.isFetching || everywhere.isFetching || here.isFetching,
    error: sessions.error ?? everywhere.error ?? here.error,
  };
}

function useSessionEntries() {
  const router = useRouter();
  return (
    sessions: readonly { sessionId: string; title: string | null; agent: string }[],
  ): PaletteEntry[] =>
    sessions.map(({ sessionId, title, agent }) => ({
      id: `session ${sessionId}`,
      group: "Sessions",
      label: title ?? sessionId,
      hint: "",
      detail: title === null ? agent : `${sessionId} · ${agent}`,
      run: () => router.push(sessionHref(sessionId)),
    }));
}

function useHitEntries() {
  const router = useRouter();
  return (
    group: string,
    hits: readonly { sessionId: string; sequence: number; snippet: string }[],
  ): PaletteEntry[] =>
    hits.map(({ sessionId, sequence, snippet }) => ({
      id: `hit ${sessionId} ${sequence}`,
      group,
      label: snippet,
      hint: "",
      detail: `${sessionId} · #${sequence}`,
      run: () => router.push(eventHref(sessionId, sequence)),
    }));
}
