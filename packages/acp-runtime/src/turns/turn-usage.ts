/** What a turn used by the agent's answer, and what each update adds to the cost. */
import type { AddedCost, TurnUsage } from "@signalbox/db";
import { isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";

/** Agents tell the cost of a session as a sum from its beginning; this tells what each update adds. */
export class SessionCost {
  #total: AddedCost | null;

  /** @param usage the session's last `usage_update` */
  constructor(usage: JsonObject | null) {
    this.#total = costOf(usage);
  }

  /** @returns null when the update adds nothing */
  take(update: JsonObject): AddedCost | null {
    if (update.sessionUpdate !== "usage_update") return null;
    const total = costOf(update);
    if (!total) return null;
    const amount = total.amount - this.#before(total);
    this.#total = total;
    return amount > 0 ? { amount, currency: total.currency } : null;
  }

  /** An agent that has forgotten the session counts from the start again. */
  startOver(): void {
    this.#total = null;
  }

  /** A sum that is smaller than before is one that began again. */
  #before({ amount, currency }: AddedCost): number {
    if (this.#total?.currency !== currency || this.#total.amount > amount) return 0;
    return this.#total.amount;
  }
}

function costOf(usage: JsonObject | null): AddedCost | null {
  if (!isJsonObject(usage?.cost)) return null;
  const { amount, currency } = usage.cost;
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0) return null;
  return typeof currency === "string" && currency !== "" ? { amount, currency } : null;
}

/** What the answer says of `Prompt.usage`, as text; null when it says nothing. */
export function turnUsageText(answer: JsonValue | undefined): string | null {
  const usage = tokensOf(answer);
  return Object.keys(usage).length > 0 ? JSON.stringify(usage) : null;
}

function tokensOf(answer: JsonValue | undefined): TurnUsage {
  if (!isJsonObject(answer) || !isJsonObject(answer.usage)) return {};
  const { usage } = answer;
  const tokens: TurnUsage = {};
  for (const name of ["inputTokens", "outputTokens", "totalTokens"] as const) {
    const value = usage[name];
    if (Number.isSafeInteger(value) && Number(value) >= 0) tokens[name] = Number(value);
  }
  const { inputTokens, outputTokens } = tokens;
  if (tokens.totalTokens === undefined && (inputTokens ?? outputTokens) !== undefined) {
    tokens.totalTokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  }
  return tokens;
}
