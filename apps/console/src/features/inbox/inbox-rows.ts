/**
 * What the inbox shows. An entry that ends keeps its place until the operator clears it: were it
 * taken out, the next one would move under a pointer that is about to press.
 */
import type { FleetEvent, QuestionAction } from "@signalbox/protocol";
import { reasonWords } from "../permission/permission-words.ts";
import type { InboxEntry } from "./inbox-entry.ts";

export type Resolution = Extract<FleetEvent, { type: "permission_resolved" | "question_resolved" }>;

export interface InboxRow {
  entry: InboxEntry;
  isPending: boolean;
}

/** How many ended entries are kept in view. */
const MAX_ENDED = 50;

/**
 * The rows after the entries changed. Rows keep their places; new entries come where the list has
 * them, which for anything but a late fetch is the end.
 *
 * @param entries oldest first
 */
export function nextRows(
  rows: readonly InboxRow[],
  entries: readonly InboxEntry[],
): readonly InboxRow[] {
  const current = new Map(entries.map((entry) => [entry.id, entry]));
  const known = new Set(rows.map((row) => row.entry.id));
  const next: InboxRow[] = rows.map(({ entry }) => {
    const now = current.get(entry.id);
    return { entry: now ?? entry, isPending: now !== undefined };
  });
  for (const entry of entries) {
    if (known.has(entry.id)) continue;
    const at = next.findIndex((row) => row.entry.since > entry.since);
    next.splice(at === -1 ? next.length : at, 0, { entry, isPending: true });
  }
  const excess = next.filter((row) => !row.isPending).length - MAX_ENDED;
  return excess <= 0 ? next : withoutOldestEnded(next, excess);
}

function withoutOldestEnded(rows: readonly InboxRow[], count: number): readonly InboxRow[] {
  let left = count;
  return rows.filter((row) => {
    if (row.isPending || left === 0) return true;
    left -= 1;
    return false;
  });
}

const ANSWERS: Record<QuestionAction, string> = {
  accept: "Answered",
  decline: "Declined",
  cancel: "Cancelled",
};

/** How an entry ended, as far as this tab heard it. */
export function endWords(entry: InboxEntry, resolution: Resolution | undefined): string {
  if (entry.kind === "failure") return "No longer failed";
  if (resolution === undefined) return "No longer pending";
  const by = resolution.resolvedBy === undefined ? "" : ` by ${resolution.resolvedBy.name}`;
  if (resolution.type === "question_resolved") {
    // Without a name nobody answered: its turn, its agent or its session ended.
    return by === "" ? "No longer pending" : `${ANSWERS[resolution.action]}${by}`;
  }
  if (resolution.status === "accepted") return `Answered${by}`;
  return reasonWords(resolution.reason ?? null);
}
