import type { FleetEvent } from "@signalbox/protocol";
import { type Followed, follow } from "./follow.ts";
import type { Transport } from "./transport.ts";

export interface FollowFleetInput {
  /** Start after this cursor. Omitted: from now on. */
  lastEventId?: string;
}

export function followFleet(
  { api, watchRefusal }: Transport,
  options: FollowFleetInput & { maxBufferedItems: number; signal: AbortSignal },
): AsyncGenerator<Followed<FleetEvent>, void, undefined> {
  return follow<FleetEvent>(
    {
      subscribe: (cursor, observer) =>
        api.fleet.events.subscribe(cursor === null ? {} : { lastEventId: cursor }, observer),
      watchRefusal,
    },
    { ...options, lastEventId: options.lastEventId ?? null },
  );
}
