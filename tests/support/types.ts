import type { Followed as FollowedItem, SessionEvent, SignalboxClient } from "@signalbox/client";

export type { DurableEvent, SessionEvent } from "@signalbox/client";
export type SessionClient = SignalboxClient;
export type Followed = FollowedItem<SessionEvent>;
