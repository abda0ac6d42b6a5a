import type { Actor, DurableEvent, SessionStatus } from "@signalbox/protocol";

/** Who asks for a command, for attribution and for what only an administrator may do. */
export interface Caller {
  actor: Actor;
  address: string | null;
  isAdmin?: boolean;
}

export type WithSession<T> = Omit<T, "sessionId"> & { sessionId: string };

export interface HistoryQuery {
  sessionId: string;
  before?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
  types?: string[] | undefined;
}

export interface HistoryPage {
  events: DurableEvent[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  oldestSequence: number;
  latestSequence: number;
}

export interface PageQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface ListQuery extends PageQuery {
  agent?: string | undefined;
  status?: SessionStatus | undefined;
  search?: string | undefined;
}
