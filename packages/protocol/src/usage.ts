import { z } from "zod";

const time = z.iso.datetime({ offset: true });

/** `from` is included, `to` is not. */
export const usageQuerySchema = z
  .strictObject({ from: time, to: time, by: z.enum(["agent", "session", "day"]) })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ["to"],
    message: "must be later than from",
  });
export type UsageQuery = z.infer<typeof usageQuerySchema>;

export interface UsageRow {
  /** The agent's id, the session's id, or the day in UTC as YYYY-MM-DD. */
  key: string;
  /** Turns that ended, by how. */
  turns: { completed: number; cancelled: number; failed: number };
  /** As far as agents told. */
  tokens: { input: number; output: number; total: number };
  /** By currency, in the order of its name. */
  costs: { currency: string; amount: number }[];
  /** Permission requests that ended, and how long they waited together and at most. */
  approvals: { count: number; waitMs: number; maxWaitMs: number };
  /** Adapters that ended unasked. */
  crashes: number;
}

export interface UsageSummary {
  /** In the order of their keys; a key of which nothing is known has no row. */
  rows: UsageRow[];
}
