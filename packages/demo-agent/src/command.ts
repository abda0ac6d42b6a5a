import type { StopReason } from "@agentclientprotocol/sdk";
import type { Turn } from "./turn.ts";

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
  /**
   * Answers the prompt. Resolves with the stop reason, or with nothing for the usual end.
   * Rejects with the signal's reason when the turn is cancelled.
   */
  run(turn: Turn, argument: string): Promise<StopReason | undefined>;
}

/**
 * A whole number from an argument, held between two bounds; `fallback` when it is not one.
 */
export function wholeNumber(
  text: string | undefined,
  fallback: number,
  bounds: { min: number; max: number },
): number {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return fallback;
  return Math.min(bounds.max, Math.max(bounds.min, Number(text)));
}
