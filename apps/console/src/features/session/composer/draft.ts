/** What someone is writing in a session, kept by this browser until it is accepted. */
export interface Draft {
  text: string;
  /** The last try to send: the same text is sent again under the same key. */
  attempt: { key: string; text: string } | null;
}

export const EMPTY_DRAFT: Draft = { text: "", attempt: null };

/** The key for sending `text`: that of the last try if it was the same text, else a new one. */
export function attemptFor(draft: Draft, text: string, newKey: () => string) {
  return draft.attempt?.text === text ? draft.attempt : { key: newKey(), text };
}

export function readDraft(storage: Pick<Storage, "getItem">, sessionId: string): Draft {
  const stored = storage.getItem(keyOf(sessionId));
  return stored === null ? EMPTY_DRAFT : parseDraft(stored);
}

export function writeDraft(
  storage: Pick<Storage, "setItem" | "removeItem">,
  sessionId: string,
  draft: Draft,
): void {
  if (draft.text === "" && draft.attempt === null) storage.removeItem(keyOf(sessionId));
  else storage.setItem(keyOf(sessionId), JSON.stringify(draft));
}

function keyOf(sessionId: string): string {
  return `signalbox.draft.${sessionId}`;
}

function parseDraft(stored: string): Draft {
  try {
    const value: unknown = JSON.parse(stored);
    return isDraft(value) ? value : EMPTY_DRAFT;
  } catch (error) {
    if (error instanceof SyntaxError) return EMPTY_DRAFT;
    throw error;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const { text, attempt } = value as Partial<Draft>;
  if (typeof text !== "string") return false;
  return (
    attempt === null ||
    (typeof attempt === "object" &&
      typeof attempt.key === "string" &&
      typeof attempt.text === "string")
  );
}
