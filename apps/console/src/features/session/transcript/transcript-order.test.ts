import type { DurableEvent, JsonObject, SessionEvent } from "@signalbox/protocol";
import { describe, expect, test } from "vitest";
import { Transcript } from "./transcript.ts";
import { delta, durable, rowsOf } from "./transcript-fixtures.ts";
import type { Row } from "./transcript-rows.ts";

describe("any order", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
    "pages, live events, repeats and late deltas give the sequential fold (seed %i)",
    (seed) => {
      const random = randomFrom(seed);
      const log = randomLog(random, 120);
      const expected = withoutKeys(rowsOf(...log));

      const transcript = new Transcript();
      const split = Math.floor(random() * log.length);
      const tail = log.slice(split).flatMap((event) => withDeltas(event, random));
      const pages = pagesOf(log.slice(0, split), 7);
      while (tail.length > 0 || pages.length > 0) {
        const page = random() < 0.4 || tail.length === 0 ? pages.pop() : undefined;
        const batch = page ?? tail.splice(0, 1 + Math.floor(random() * 5));
        transcript.apply(batch);
        const keys = transcript.snapshot.rows.map((row) => row.key);
        expect(new Set(keys).size).toBe(keys.length);
        if (random() < 0.3)
          transcript.apply(batch.filter((event) => event.durability === "durable"));
      }
      expect(withoutKeys(transcript.snapshot.rows.filter((row) => !isStreaming(row)))).toEqual(
        expected,
      );
    },
  );
});

function isStreaming(row: Row): boolean {
  return row.sequence === null;
}

function withoutKeys(rows: readonly Row[]) {
  return rows.map(({ key: _key, ...row }) => ({ ...row, streaming: false }));
}

/** A small linear congruential generator: a failing seed can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function randomLog(random: () => number, length: number): DurableEvent[] {
  const pick = <T>(values: readonly T[], fallback: T): T =>
    values[Math.floor(random() * values.length)] ?? fallback;
  let turn = 1;
  return Array.from({ length }, (_, index) => {
    const sequence = index + 1;
    const promptId = `p${turn}`;
    const messageId = pick(["m1", "m2"], "m1") + promptId;
    const toolCallId = pick(["t1", "t2", "t3"], "t1");
    const status = pick(["pending", "in_progress", "completed", "failed"], "pending");
    const content = { type: "text", text: `${sequence} ` };
    const requestId = `r${Math.floor(sequence / 4)}`;
    const type = pick(
      [
        "user_message_chunk",
        "agent_message_chunk",
        "agent_message_chunk",
        "agent_thought_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
        "permission_request",
        "permission_response",
        "config_option_update",
        "_signalbox/turn_ended",
        "something_new",
      ],
      "plan",
    );
    const isTool = type.startsWith("tool_call");
    const fields: JsonObject = isTool ? { toolCallId, status } : { messageId, content, requestId };
    if (type === "_signalbox/turn_ended") {
      turn += 1;
      fields.openToolCalls = ["t1", "t2", "t3"];
    }
    return durable(sequence, type, { ...fields, promptId });
  });
}

/** A stored message is preceded by its deltas, and some of them come after it. */
function withDeltas(event: DurableEvent, random: () => number): SessionEvent[] {
  if (!event.type.startsWith("agent_")) return [event];
  const { type, promptId, messageId = null } = event;
  const live = (text: string) => delta(event.sequence - 1, text, { type, promptId, messageId });
  const early = Array.from({ length: Math.floor(random() * 4) }, (_, n) => live(`part ${n}`));
  return random() < 0.3 ? [...early, event, live("late")] : [...early, event];
}

function pagesOf(events: DurableEvent[], size: number): DurableEvent[][] {
  const pages: DurableEvent[][] = [];
  for (let end = events.length; end > 0; end -= size) {
    pages.unshift(events.slice(Math.max(0, end - size), end));
  }
  return pages;
}
