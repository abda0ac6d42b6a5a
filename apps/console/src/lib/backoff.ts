const FIRST_MS = 250;
const CAP_MS = 3_000;

/**
 * The pause before try number `attempt` (from 0), in milliseconds: none, then doubling from 250 ms
 * to 3 s, each spread over its upper half so that many tabs do not return in step.
 *
 * @param random a number from 0 up to 1
 */
export function backoffMs(attempt: number, random: number): number {
  if (attempt <= 0) return 0;
  const fullMs = Math.min(CAP_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(fullMs * (0.5 + random / 2));
}
