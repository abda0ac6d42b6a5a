import { formatAge } from "./relative-time.ts";

/** How long something took: "40 ms", "3.2 s", then as an age. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return formatAge(ms);
}
