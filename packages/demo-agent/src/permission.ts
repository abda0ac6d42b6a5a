import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { Turn } from "./turn.ts";

/** An offered option; its kind is open, because some of ours are odd on purpose. */
export interface OfferedOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

export const USUAL_OPTIONS: readonly OfferedOption[] = [
  { optionId: "allow", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** One unknown kind, two options of one name, and a name that is markup. */
export const ODD_OPTIONS: readonly OfferedOption[] = [
  { optionId: "later", name: "Remind me later", kind: "postpone" },
  { optionId: "yes-1", name: "Yes", kind: "allow_once" },
  { optionId: "yes-2", name: "Yes", kind: "allow_always" },
  { optionId: "never", name: "<b>Never</b>", kind: "reject_always" },
];

const responseSchema = z.object({
  outcome: z.discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("selected"), optionId: z.string() }),
    z.object({ outcome: z.literal("cancelled") }),
  ]),
});

/**
 * Asks the operator and waits as long as it takes. Resolves with the chosen option id, or with
 * `null` when the client answers that the request was cancelled.
 *
 * A cancel of the turn ends the wait at once; the answer that the client still owes is then
 * of no interest.
 *
 * @throws Error when the client answers an option that was not offered
 */
export async function askPermission(
  turn: Turn,
  toolCall: ToolCallUpdate,
  options: readonly OfferedOption[],
): Promise<string | null> {
  turn.signal.throwIfAborted();
  const method: string = "session/request_permission";
  const { sessionId } = turn.session;
  const response = await untilAborted(
    turn.context.client.request(method, { sessionId, toolCall, options }),
    turn.signal,
  );
  const { outcome } = responseSchema.parse(response);
  if (outcome.outcome === "cancelled") return null;
  if (!options.some((option) => option.optionId === outcome.optionId)) {
    throw new Error(`the client chose ${outcome.optionId}, which was not offered`);
  }
  return outcome.optionId;
}

/**
 * Whether an action may be done: by the session's mode, by an earlier "always", or by asking.
 *
 * @param action what "always" remembers, for example `edit`
 */
export async function mayAct(turn: Turn, action: string, call: ToolCallUpdate): Promise<boolean> {
  const { config, alwaysAllowed } = turn.session;
  if (config.mode === "auto" || alwaysAllowed.includes(action)) return true;
  const selected = await askPermission(turn, call, USUAL_OPTIONS);
  if (selected === "allow-always") alwaysAllowed.push(action);
  return selected === "allow" || selected === "allow-always";
}

/** Settles like `promise`, or rejects as soon as `signal` aborts; a later failure is then ignored. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
