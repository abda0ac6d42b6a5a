/** The words behind what a browser remembers; the first of each is usual. */
export const DENSITIES = ["comfortable", "compact"] as const;
export const TIME_ZONES = ["local", "utc"] as const;
export const NOTICES = ["off", "on"] as const;

export type TimeZone = (typeof TIME_ZONES)[number];
