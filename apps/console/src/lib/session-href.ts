/**
 * The page of a session. The ids `.` and `..` are valid but would be read as path steps, so they
 * travel in the query.
 */
export function sessionHref(sessionId: string): string {
  if (sessionId === "." || sessionId === "..") return `/s/~?id=${sessionId}`;
  return `/s/${encodeURIComponent(sessionId)}`;
}

/** The page of a session at one of its events. */
export function eventHref(sessionId: string, sequence: number): string {
  const href = sessionHref(sessionId);
  return `${href}${href.includes("?") ? "&" : "?"}seq=${sequence}`;
}

/** The page with a session's stored events as they are. */
export function eventsHref(sessionId: string): string {
  const [path, query] = sessionHref(sessionId).split("?");
  return query === undefined ? `${path}/events` : `${path}/events?${query}`;
}

/** The sequence that an address asks for; null when it asks for none that there can be. */
export function sequenceOf(seq: string | string[] | undefined): number | null {
  const sequence = typeof seq === "string" && /^\d{1,15}$/u.test(seq) ? Number(seq) : 0;
  return sequence > 0 ? sequence : null;
}

/** The session id of a page's segment and query; null when the segment is not valid. */
export function sessionIdOf(segment: string, idInQuery: string | undefined): string | null {
  if (segment === "~" && idInQuery !== undefined) return idInQuery;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
