/** How far this browser has read each session, so that a list can tell what is new. */

export interface Seen {
  /** A session id may be used again; the moment tells one life of it from the next. */
  createdAt: string;
  sequence: number;
}

export type SeenSessions = Readonly<Record<string, Seen>>;

const MAX_SESSIONS = 500;

type Read = { sessionId: string; createdAt: string; latestSequence: number };

/** How many events came since; 0 for a session that was never opened here: all of it would be new. */
export function newEventsOf(
  { sessionId, createdAt, latestSequence }: Read,
  seen: SeenSessions,
): number {
  const known = Object.hasOwn(seen, sessionId) ? seen[sessionId] : undefined;
  if (known === undefined || known.createdAt !== createdAt) return 0;
  return Math.max(0, latestSequence - known.sequence);
}

/** The same object where nothing is new. The sessions that were read longest ago are forgotten. */
export function withSeen(
  seen: SeenSessions,
  { sessionId, createdAt, latestSequence }: Read,
): SeenSessions {
  const known = Object.hasOwn(seen, sessionId) ? seen[sessionId] : undefined;
  if (known?.createdAt === createdAt && known.sequence >= latestSequence) return seen;
  const others = Object.entries(seen).filter(([id]) => id !== sessionId);
  const kept = others.slice(-(MAX_SESSIONS - 1));
  return { ...Object.fromEntries(kept), [sessionId]: { createdAt, sequence: latestSequence } };
}

/** Reads what a browser stored, which may be from another version or from nobody. */
export function readSeen(text: string | null): SeenSessions {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => isSeen(value)));
  } catch {
    return {};
  }
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== "object" || value === null) return false;
  const { createdAt, sequence } = value as Partial<Seen>;
  return typeof createdAt === "string" && typeof sequence === "number";
}
