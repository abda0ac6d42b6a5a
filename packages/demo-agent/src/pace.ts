import { setImmediate, setTimeout } from "node:timers/promises";

/**
 * Waits `ms` milliseconds, or rejects with an AbortError as soon as `signal` aborts.
 *
 * A wait of 0 still lets the event loop turn once: without it a long stream would never
 * read the cancel that waits on stdin.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(ms, undefined, { signal });
  else await setImmediate(undefined, { signal });
}
