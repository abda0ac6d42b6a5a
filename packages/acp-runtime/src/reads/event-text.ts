import type { EventRow } from "@signalbox/db";
import { ENVELOPE_NAMES, META } from "@signalbox/protocol";
import { eventOf, rowOf, timestampOf } from "../sessions/session-view.ts";
import { jsonMembers } from "../wire/json-slice.ts";

/**
 * A stored event as JSON text: what `composeEvent` makes of it, with every value in the agent's
 * own spelling, so that numbers and the order of keys are those that were sent.
 */
export function eventText(row: EventRow): string {
  if (!isReadable(row.fields)) return JSON.stringify(eventOf(row));
  const { sessionId, sequence, promptId, type } = row;
  const timestamp = timestampOf(row.timestamp);
  const envelope = { durability: "durable", sessionId, sequence, timestamp, promptId, type };
  const parts = Object.entries(envelope).map(([key, value]) => member(key, JSON.stringify(value)));
  const shadowed: string[] = [];
  let meta: string | null = null;
  for (const { key, value } of jsonMembers(row.fields)) {
    if (key === "sessionUpdate") continue;
    if (ENVELOPE_NAMES.has(key)) shadowed.push(member(key, value));
    else if (key === "_meta") meta = value;
    else parts.push(member(key, value));
  }
  if (shadowed.length > 0) meta = withNative(meta, `{${shadowed.join(",")}}`);
  if (meta !== null) parts.push(member("_meta", meta));
  return `{${parts.join(",")}}`;
}

/** The fields with one entry more in their `_meta`, everything else in its own spelling. */
export function withMeta(fields: string, key: string, value: string): string {
  const members = jsonMembers(fields);
  const meta = members.findLast((each) => each.key === "_meta")?.value ?? "{}";
  const entries = jsonMembers(meta).filter((each) => each.key !== key);
  const texts = members
    .filter((each) => each.key !== "_meta")
    .map((each) => member(each.key, each.value));
  const metaTexts = [...entries.map((each) => member(each.key, each.value)), member(key, value)];
  return `{${[...texts, member("_meta", `{${metaTexts.join(",")}}`)].join(",")}}`;
}

function member(key: string, value: string): string {
  return `${JSON.stringify(key)}:${value}`;
}

function withNative(meta: string | null, native: string): string {
  const kept = meta === null ? [] : jsonMembers(meta).filter(({ key }) => key !== META.native);
  return `{${[...kept.map(({ key, value }) => member(key, value)), member(META.native, native)].join(",")}}`;
}

const texts = new WeakMap<object, string>();
let madeTexts = 0;

/** How many texts were made so far: each event has one, however many are handed it. */
export function exactTextsMade(): number {
  return madeTexts;
}

/**
 * The exact text of an event that came from a row, made once for all who send it.
 *
 * @returns undefined for anything else
 */
export function exactTextOf(event: object): string | undefined {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const row = rowOf(event);
  if (row === undefined) return undefined;
  const text = eventText(row);
  madeTexts += 1;
  texts.set(event, text);
  return text;
}

function isReadable(fields: string): boolean {
  try {
    JSON.parse(fields);
    return true;
  } catch {
    return false;
  }
}
