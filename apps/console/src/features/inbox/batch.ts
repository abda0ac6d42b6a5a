/** Which requests one press may answer together, and with which of their options. */
import type { PermissionOption } from "@signalbox/protocol";
import type { InboxEntry, PermissionEntry } from "./inbox-entry.ts";

/** Only what holds for one action: a lasting choice is made request by request. */
export const BATCH_KINDS = ["allow_once", "reject_once"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** From this number on the count must be typed. */
export const TYPED_COUNT_FROM = 6;

export interface BatchAnswer {
  entry: PermissionEntry;
  option: PermissionOption;
}

export interface BatchPlan {
  answers: BatchAnswer[];
  leftOut: { entry: InboxEntry; why: string }[];
}

const WORDS: Readonly<Record<BatchKind, string>> = {
  allow_once: "allow this time",
  reject_once: "reject this time",
};

/** A request takes part when exactly one of its options is of the kind: nothing is guessed. */
export function batchPlan(entries: readonly InboxEntry[], kind: BatchKind): BatchPlan {
  const plan: BatchPlan = { answers: [], leftOut: [] };
  for (const entry of entries) {
    if (entry.kind !== "permission") {
      const why = entry.kind === "question" ? "A question is answered by itself" : "No request";
      plan.leftOut.push({ entry, why });
      continue;
    }
    const fitting = entry.request.options.filter((option) => option.kind === kind);
    const [option] = fitting;
    if (option !== undefined && fitting.length === 1) plan.answers.push({ entry, option });
    else {
      const number = fitting.length === 0 ? "No option" : `${fitting.length} options`;
      plan.leftOut.push({ entry, why: `${number} to ${WORDS[kind]}` });
    }
  }
  return plan;
}
