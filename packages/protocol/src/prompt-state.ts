/** Where a prompt may go next. A state with no successors is final. */
const NEXT = {
  queued: ["accepted", "cancelled"],
  accepted: ["dispatched", "failed", "cancelled"],
  dispatched: ["completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type PromptState = keyof typeof NEXT;

export function isFinal(state: PromptState): boolean {
  return NEXT[state].length === 0;
}

/** The states a prompt may be in just before `to`: the `WHERE` of the update that moves it. */
export function sourcesOf(to: PromptState): PromptState[] {
  return (Object.keys(NEXT) as PromptState[]).filter((from) =>
    (NEXT[from] as readonly PromptState[]).includes(to),
  );
}

/** A turn that holds the session: accepted or dispatched, not queued and not ended. */
export function isRunning(state: PromptState): boolean {
  return state === "accepted" || state === "dispatched";
}

export const STOP_REASONS = [
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
] as const;

/** ACP's closed set of reasons for the end of a turn. */
export type StopReason = (typeof STOP_REASONS)[number];

export function isStopReason(value: unknown): value is StopReason {
  return (STOP_REASONS as readonly unknown[]).includes(value);
}
