/** What an operator put off in this browser. It decides nothing: the agent goes on waiting. */
import type { InboxEntry } from "./inbox-entry.ts";

export interface PutOff {
  version: string;
  atMs: number;
}

export type PutOffs = Readonly<Record<string, PutOff>>;

/** A request comes back after this time, in milliseconds: somebody waits for it. */
export const RETURN_MS = 15 * 60_000;

/** Entries that came to an end elsewhere leave their marks behind; those go after this time. */
const FORGET_MS = 30 * 24 * 60 * 60_000;

/** A failure waits for nobody: it stays aside until there is something new to see. */
export function isAside(entry: InboxEntry, putOffs: PutOffs, nowMs: number): boolean {
  const putOff = Object.hasOwn(putOffs, entry.id) ? putOffs[entry.id] : undefined;
  if (putOff === undefined || putOff.version !== entry.version) return false;
  return entry.kind === "failure" || nowMs - putOff.atMs < RETURN_MS;
}

export function putOff(putOffs: PutOffs, entry: InboxEntry, nowMs: number): PutOffs {
  const kept = Object.entries(putOffs).filter(([, { atMs }]) => nowMs - atMs < FORGET_MS);
  return { ...Object.fromEntries(kept), [entry.id]: { version: entry.version, atMs: nowMs } };
}

export function bringBack(putOffs: PutOffs, entry: InboxEntry): PutOffs {
  return Object.fromEntries(Object.entries(putOffs).filter(([id]) => id !== entry.id));
}

/** Reads what a browser stored, which may be from another version or from nobody. */
export function readPutOffs(text: string | null): PutOffs {
  if (text === null) return {};
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => isPutOff(value)));
  } catch {
    return {};
  }
}

function isPutOff(value: unknown): value is PutOff {
  if (typeof value !== "object" || value === null) return false;
  const { version, atMs } = value as Partial<PutOff>;
  return typeof version === "string" && typeof atMs === "number";
}
