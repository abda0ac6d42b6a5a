import type { FormValues } from "./form-values.ts";

const MAX_DRAFTS = 50;

/**
 * What was typed into open questions, in this tab's memory alone: a card that scrolls out of sight
 * or is left for another page comes back with it.
 */
const drafts = new Map<string, FormValues>();

export function draftOf(requestId: string): FormValues | undefined {
  return drafts.get(requestId);
}

export function keepDraft(requestId: string, values: FormValues): void {
  const [oldest] = drafts.keys();
  if (oldest !== undefined && drafts.size >= MAX_DRAFTS && !drafts.has(requestId)) {
    drafts.delete(oldest);
  }
  drafts.set(requestId, values);
}

export function dropDraft(requestId: string): void {
  drafts.delete(requestId);
}
