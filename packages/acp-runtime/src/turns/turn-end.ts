import {
  AppError,
  isJsonObject,
  isStopReason,
  type JsonValue,
  type StopReason,
  type StoredError,
} from "@signalbox/protocol";

/** How a turn ended, before it is stored. */
export type TurnEnd =
  | { state: "completed"; stopReason: StopReason }
  | { state: "cancelled" }
  | { state: "failed"; error: StoredError };

export function stopReasonOfEnd(end: Exclude<TurnEnd, { state: "failed" }>): StopReason {
  return end.state === "cancelled" ? "cancelled" : end.stopReason;
}

/** @throws AppError `invalid_stop_reason` when the answer has none of ACP's */
export function stopReasonOf(answer: JsonValue): StopReason {
  const stopReason = isJsonObject(answer) ? answer.stopReason : undefined;
  if (isStopReason(stopReason)) return stopReason;
  throw new AppError(
    "invalid_stop_reason",
    "the agent ended the turn with an unknown stop reason",
    {
      details: { stopReason: stopReason ?? null },
    },
  );
}
