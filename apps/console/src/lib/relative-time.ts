const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A past moment as "just now", "4 min ago", "3 h ago", "2 d ago", then its date. */
export function formatRelative(atMs: number, nowMs: number): string {
  const ageMs = nowMs - atMs;
  if (ageMs < 10 * SECOND_MS) return "just now";
  if (ageMs < MINUTE_MS) return `${Math.floor(ageMs / SECOND_MS)} s ago`;
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  if (ageMs < 30 * DAY_MS) return `${Math.floor(ageMs / DAY_MS)} d ago`;
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
  }).format(atMs);
}

/** How long something lasts so far: "8 s", "4 min 02 s", "3 h 05 min", "2 d 4 h". */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const two = (value: number) => String(value).padStart(2, "0");
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return `${minutes} min ${two(seconds % 60)} s`;
  if (days === 0) return `${hours} h ${two(minutes % 60)} min`;
  return `${days} d ${hours % 24} h`;
}

const absolute = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
});

const moment = { day: "2-digit", month: "short", year: "numeric" } as const;
const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const localMoment = new Intl.DateTimeFormat("en-GB", { ...moment, ...clock });
const utcMoment = new Intl.DateTimeFormat("en-GB", { ...moment, ...clock, timeZone: "UTC" });

/** The exact moment in one zone: "03 Mar 2026, 12:00:00", with "UTC" after it where it is. */
export function formatMoment(iso: string, zone: "local" | "utc"): string {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return iso;
  return zone === "utc" ? `${utcMoment.format(atMs)} UTC` : localMoment.format(atMs);
}

/** The exact moment, local and UTC, for a tooltip. */
export function formatAbsolute(iso: string): string {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return iso;
  return `${absolute.format(atMs)} (${iso.replace("T", " ").replace(/\.\d+Z$/, " UTC")})`;
}
