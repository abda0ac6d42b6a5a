"use client";

import { useSyncExternalStore } from "react";

/** One timer for every age on the page; it stops with the last reader. */
const readers = new Set<() => void>();
let nowMs = 0;
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const wake of readers) wake();
  }, 1_000);
  return () => {
    readers.delete(reader);
    if (readers.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function snapshot(): number {
  // Without a timer the value is renewed at most once a second: a snapshot must hold still.
  if (timer === null && Date.now() - nowMs >= 1_000) nowMs = Date.now();
  return nowMs;
}

/** The time in milliseconds, a second exact; 0 while the server renders. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot, () => 0);
}

const DAY_MS = 24 * 60 * 60_000;

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** When today began in UTC, in milliseconds; 0 while the server renders. */
export function useToday(): number {
  return useSyncExternalStore(
    subscribe,
    () => dayOf(snapshot()),
    () => 0,
  );
}
