import type { JsonObject } from "@signalbox/protocol";
import { moneyText } from "../../lib/money-text.ts";
import { asNumber, asObject, asText } from "./content/json-read.ts";

/** What the agent reports of its context and cost, in a few characters; null when it reports nothing. */
export function usageWords(usage: JsonObject | null): { short: string; long: string } | null {
  const used = asNumber(usage?.used);
  const size = asNumber(usage?.size);
  const cost = costWords(asObject(usage?.cost));
  const context = used === null ? null : contextWords(used, size);
  const short = [context?.short, cost].filter((part) => part != null).join(" · ");
  if (short === "") return null;
  const parts = [context?.long, cost === null ? null : `${cost} so far`];
  return {
    short,
    long: `As reported by the agent: ${parts.filter((part) => part != null).join(", ")}`,
  };
}

function contextWords(used: number, size: number | null) {
  if (size === null || size <= 0) {
    return {
      short: `${compact(used)} tokens`,
      long: `${used.toLocaleString("en")} tokens in context`,
    };
  }
  return {
    short: `${Math.round((used / size) * 100)}% of ${compact(size)}`,
    long: `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens in context`,
  };
}

function costWords(cost: JsonObject | null): string | null {
  const amount = asNumber(cost?.amount);
  const currency = asText(cost?.currency);
  return amount === null || currency === null ? null : moneyText(amount, currency);
}

const format = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function compact(value: number): string {
  return format.format(value);
}
