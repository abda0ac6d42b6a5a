import type { FleetEvent } from "@signalbox/protocol";
import { type Followed, follow } from "./follow.ts";
import type { SignalboxApi } from "./transport.ts";

export interface FollowFleetInput {
  /** Start after this cursor. Omitted: from now on. */
  lastEventId?: string;
}

export function followFleet(
  api: SignalboxApi,
  options: FollowFleetInput & { maxBufferedItems: number; signal: AbortSignal },
): AsyncGenerator<Followed<FleetEvent>, void, undefined> {
  return follow<FleetEvent>(
    {
      subscribe: (cursor, observer) =>
        api.fleet.events.subscribe(cursor === null ? {} : { lastEventId: cursor }, observer),
    },
    { ...options, lastEventId: options.lastEventId ?? null },
  );
}
