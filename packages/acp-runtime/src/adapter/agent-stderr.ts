import { readEventPage, readSession } from "@signalbox/db";
import { OWN_EVENT, parseSessionId } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";
import type { SessionHosts } from "../sessions/session-hosts.ts";
import { eventOf } from "../sessions/session-view.ts";

/**
 * The end of what the session's current or last adapter wrote to stderr. From before a restart of
 * the server it is known when the adapter exited by itself, from that event.
 *
 * @throws AppError `session_not_found`
 */
export async function agentStderr(
  { db }: RuntimeDeps,
  hosts: SessionHosts,
  id: string,
): Promise<{ text: string; truncated: boolean }> {
  const { sessionId } = await readSession(db, parseSessionId(id));
  const known = hosts.find(sessionId)?.log.stderr;
  if (known && known.total > 0) return known.read();
  const { rows } = await readEventPage(db, {
    sessionId,
    limit: 1,
    types: [OWN_EVENT.adapterExited],
  });
  const [exited] = rows.map(eventOf);
  const text = exited?.stderrTail;
  return { text: typeof text === "string" ? text : "", truncated: false };
}
