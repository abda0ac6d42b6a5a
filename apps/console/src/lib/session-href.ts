/**
 * The page of a session. The ids `.` and `..` are valid but would be read as path steps, so they
 * travel in the query.
 */
export function sessionHref(sessionId: string): string {
  if (sessionId === "." || sessionId === "..") return `/s/~?id=${sessionId}`;
  return `/s/${encodeURIComponent(sessionId)}`;
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
