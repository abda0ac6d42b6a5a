"use client";

import { useEffect, useMemo } from "react";
import { readSeen, type SeenSessions, withSeen } from "./last-seen.ts";
import { useStoredText } from "./preference.ts";

const NAME = "seen";

export function useSeenSessions(): SeenSessions {
  const [text] = useStoredText(NAME);
  return useMemo(() => readSeen(text), [text]);
}

/**
 * Notes that a session was read up to here.
 *
 * @param createdAt null while that is not known; nothing is noted then
 */
export function useMarkSeen(
  sessionId: string,
  createdAt: string | null,
  latestSequence: number,
): void {
  const [text, store] = useStoredText(NAME);
  useEffect(() => {
    if (createdAt === null || latestSequence === 0) return;
    const seen = readSeen(text);
    const next = withSeen(seen, { sessionId, createdAt, latestSequence });
    if (next !== seen) store(JSON.stringify(next));
  });
}
