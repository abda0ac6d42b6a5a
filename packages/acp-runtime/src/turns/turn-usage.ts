/** What a turn used: tokens by the agent's answer, and the cost that its updates added. */
import type { TurnUsage } from "@signalbox/db";
import { isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";

interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** Turns the cost of a session, which agents tell as a sum from its beginning, into that of its turns. */
export class SessionCost {
  #total: Cost | null;
  #added: Cost | null = null;

  /** @param usage the session's last `usage_update` */
  constructor(usage: JsonObject | null) {
    this.#total = costOf(usage);
  }

  take(update: JsonObject): void {
    if (update.sessionUpdate !== "usage_update") return;
    const total = costOf(update);
    if (!total) return;
    const before = this.#before(total);
    this.#total = total;
    const { currency } = total;
    const known = this.#added?.currency === currency ? this.#added.amount : 0;
    this.#added = { amount: known + total.amount - before, currency };
  }

  /** An agent that has forgotten the session counts from the start again. */
  startOver(): void {
    this.#total = null;
  }

  /** What was added since the last call. */
  takeAdded(): Cost | null {
    const added = this.#added;
    this.#added = null;
    return added && added.amount > 0 ? added : null;
  }

  /** A sum that is smaller than before is one that began again. */
  #before({ amount, currency }: Cost): number {
    if (this.#total?.currency !== currency || this.#total.amount > amount) return 0;
    return this.#total.amount;
  }
}

function costOf(usage: JsonObject | null): Cost | null {
  if (!isJsonObject(usage?.cost)) return null;
  const { amount, currency } = usage.cost;
  if (typeof amount !== "number" || amount < 0) return null;
  return typeof currency === "string" && currency !== "" ? { amount, currency } : null;
}

/** `Prompt.usage` as text; null when the agent told nothing. */
export function turnUsageText(answer: JsonValue | undefined, cost: Cost | null): string | null {
  const usage: TurnUsage = { ...tokensOf(answer), ...(cost ? { cost } : {}) };
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
