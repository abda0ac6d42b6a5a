/** Events as a server sends them, for tests. */
import type { DurableEvent, EphemeralEvent, JsonObject, SessionEvent } from "@signalbox/protocol";
import { Transcript } from "./transcript.ts";
import type { Row } from "./transcript-rows.ts";

const SESSION = { sessionId: "s" } as const;

export function durable(sequence: number, type: string, fields: JsonObject = {}): DurableEvent {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString();
  return {
    durability: "durable",
    ...SESSION,
    sequence,
    timestamp,
    promptId: "p1",
    type,
    ...fields,
  };
}

export function delta(
  afterSequence: number,
  text: string,
  fields: JsonObject = {},
): EphemeralEvent {
  return {
    durability: "ephemeral",
    ...SESSION,
    afterSequence,
    promptId: "p1",
    type: "agent_message_chunk",
    messageId: "m1",
    content: { type: "text", text },
    ...fields,
  };
}

export function said(sequence: number, text: string, fields: JsonObject = {}): DurableEvent {
  const content = { type: "text", text };
  return durable(sequence, "agent_message_chunk", { messageId: "m1", content, ...fields });
}

export function rowsOf(...events: SessionEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.apply(events);
  return transcript.snapshot.rows;
}
