import type { SessionStatus } from "@signalbox/protocol";
import type { SessionFilter } from "../../lib/fleet-cache.ts";

export const STATUSES: readonly SessionStatus[] = ["waiting", "running", "failed", "idle"];

/** The filter that an address asks for; what it cannot mean is left out. */
export function filterOfParams(params: URLSearchParams): SessionFilter {
  return {
    search: params.get("q") || undefined,
    agent: params.get("agent") || undefined,
    status: STATUSES.find((status) => status === params.get("state")),
  };
}

/** The query part of the address that asks for this filter, with its question mark; or nothing. */
export function paramsOfFilter({ search, agent, status }: SessionFilter): string {
  const params = new URLSearchParams();
  if (search) params.set("q", search);
  if (agent) params.set("agent", agent);
  if (status) params.set("state", status);
  return params.size === 0 ? "" : `?${params}`;
}

export function isFiltered({ search, agent, status }: SessionFilter): boolean {
  return Boolean(search || agent || status);
}
