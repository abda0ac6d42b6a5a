/** Reads single members out of agent JSON, which may be anything: a wrong type reads as absent. */
import type { JsonObject, JsonValue } from "@signalbox/protocol";

export function asObject(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

export function asArray(value: JsonValue | undefined): JsonValue[] | null {
  return Array.isArray(value) ? value : null;
}

export function asObjects(value: JsonValue | undefined): JsonObject[] {
  return (asArray(value) ?? []).map(asObject).filter((item) => item !== null);
}

export function asText(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function asNumber(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A member that is set: `null` in an update means "not told", as absence does. */
export function isTold(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}
