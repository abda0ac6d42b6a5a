import { exactTextOf } from "@signalbox/acp-runtime";
import { withExactEvents } from "@signalbox/api";
import { z } from "zod";

/** A tracked event of a subscription, as tRPC hands it to its socket. */
const trackedEvent = z.object({
  id: z.union([z.string(), z.number()]),
  result: z.object({
    type: z.literal("data"),
    id: z.string(),
    data: z.object({
      id: z.string(),
      data: z.custom<object>((value) => typeof value === "object"),
    }),
  }),
});

/** One frame of a socket. An event's own text is made once, for however many sockets it goes to. */
export function encodeMessage(message: unknown): string {
  const tracked = trackedEvent.safeParse(message);
  const event = tracked.data?.result.data.data;
  const text = event ? exactTextOf(event) : undefined;
  if (!tracked.success || text === undefined) return withExactEvents(JSON.stringify(message));
  const cursor = JSON.stringify(tracked.data.result.id);
  const id = JSON.stringify(tracked.data.id);
  return `{"id":${id},"jsonrpc":"2.0","result":{"type":"data","id":${cursor},"data":{"id":${cursor},"data":${text}}}}`;
}
