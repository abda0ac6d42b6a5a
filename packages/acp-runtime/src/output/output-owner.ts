import type { JsonObject } from "@signalbox/protocol";

/** Ids of messages and tool calls that are remembered; the oldest are forgotten first. */
const MAX_KNOWN_IDS = 10_000;

/**
 * Which turn an update belongs to. ACP names none, so what stands between a prompt and its answer
 * counts as that turn's, but for what goes on with a message or a tool call that began before:
 * late words of a turn that has ended must not be taken for the answer to the next prompt.
 *
 * Knows one adapter's life: another process may count its ids from the start again.
 */
export class OutputOwner {
  readonly #owners = new Map<string, string | null>();

  /** @returns the prompt the update belongs to; null when it belongs to no turn that runs */
  ownerOf(update: JsonObject, speakingPromptId: string | null): string | null {
    const id = idOf(update);
    if (id === null) return speakingPromptId;
    // A call that is announced again begins again.
    const known = update.sessionUpdate === "tool_call" ? undefined : this.#owners.get(id);
    if (known !== undefined) return known === speakingPromptId ? known : null;
    this.#owners.delete(id);
    this.#owners.set(id, speakingPromptId);
    if (this.#owners.size > MAX_KNOWN_IDS) this.#forgetOldest();
    return speakingPromptId;
  }

  /** A new adapter speaks. */
  reset(): void {
    this.#owners.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#owners.keys();
    if (oldest !== undefined) this.#owners.delete(oldest);
  }
}

function idOf({ sessionUpdate, messageId, toolCallId }: JsonObject): string | null {
  if (typeof toolCallId === "string" && String(sessionUpdate).startsWith("tool_call")) {
    return `tool call ${toolCallId}`;
  }
  // A message and the thoughts before it may share an id.
  return typeof messageId === "string" ? `${String(sessionUpdate)} ${messageId}` : null;
}
