import { exactTextOf } from "@signalbox/acp-runtime";
import { withExactEvents } from "@signalbox/api";

interface TrackedEvent {
  readonly id: unknown;
  readonly cursor: string;
  readonly text: string;
}

/** One frame of a socket. An event's own text is made once, for however many sockets it goes to. */
export function encodeMessage(message: unknown): string {
  const tracked = trackedEventOf(message);
  if (!tracked) return withExactEvents(JSON.stringify(message));
  const id = JSON.stringify(tracked.id);
  const cursor = JSON.stringify(tracked.cursor);
  return `{"id":${id},"jsonrpc":"2.0","result":{"type":"data","id":${cursor},"data":{"id":${cursor},"data":${tracked.text}}}}`;
}

/** A tracked event of a subscription, in the form in which tRPC hands it to its socket. */
function trackedEventOf(message: unknown): TrackedEvent | null {
  if (!isRecord(message) || !isRecord(message.result)) return null;
  const { type, id: cursor, data } = message.result;
  if (type !== "data" || typeof cursor !== "string" || !isRecord(data)) return null;
  const text = isRecord(data.data) ? exactTextOf(data.data) : undefined;
  return text === undefined ? null : { id: message.id, cursor, text };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
