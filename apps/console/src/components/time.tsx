"use client";

import { TIME_ZONES } from "../lib/choices.ts";
import { useNow } from "../lib/clock.ts";
import { useChoice } from "../lib/preference.ts";
import { formatAbsolute, formatAge, formatMoment, formatRelative } from "../lib/relative-time.ts";

/** "4 min ago", with the exact moment on hover. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={iso} title={formatAbsolute(iso)} className={className}>
      {formatRelative(Date.parse(iso), nowMs)}
    </time>
  );
}

/** How long something has lasted since `iso`, counting up. */
export function Age({ iso, className }: { iso: string; className?: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={iso} title={formatAbsolute(iso)} className={className}>
      {formatAge(nowMs - Date.parse(iso))}
    </time>
  );
}

/** The exact moment in the zone that this browser prefers. */
export function Moment({ iso, className }: { iso: string; className?: string }) {
  const [zone] = useChoice("time-zone", TIME_ZONES);
  return (
    <time dateTime={iso} title={formatAbsolute(iso)} className={className}>
      {formatMoment(iso, zone)}
    </time>
  );
}
