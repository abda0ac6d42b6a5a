/**
 * News for watchers of all sessions, gathered while a write runs and told after its commit.
 *
 * The news itself is not stored: it says what changed, and the rows say how things are.
 */
import type { JsonObject } from "@signalbox/protocol";
import type { Sqlite } from "./connection.ts";

export type FleetNewsType =
  | "session_created"
  | "session_changed"
  | "session_deleted"
  | "permission_requested"
  | "permission_resolved"
  | "question_requested"
  | "question_resolved"
  | "adapter_exited";

export interface FleetNews {
  readonly type: FleetNewsType;
  readonly sessionId: string;
  readonly requestId?: string;
  /** Facts that no row can tell. */
  readonly detail?: JsonObject;
  readonly timestamp: number;
}

const gathered = new WeakMap<Sqlite, FleetNews[]>();

function newsOf(sqlite: Sqlite): FleetNews[] {
  const known = gathered.get(sqlite);
  if (known) return known;
  const news: FleetNews[] = [];
  gathered.set(sqlite, news);
  return news;
}

export function tellFleetInWrite(
  sqlite: Sqlite,
  news: Omit<FleetNews, "timestamp">,
  timestamp: number,
): void {
  newsOf(sqlite).push({ ...news, timestamp });
}

/** @returns a mark for {@link dropNewsAfter} */
export function newsMark(sqlite: Sqlite): number {
  return newsOf(sqlite).length;
}

/** Forgets the news of a write that was rolled back. */
export function dropNewsAfter(sqlite: Sqlite, mark: number): void {
  newsOf(sqlite).length = mark;
}

export function takeNews(sqlite: Sqlite): FleetNews[] {
  return newsOf(sqlite).splice(0);
}
