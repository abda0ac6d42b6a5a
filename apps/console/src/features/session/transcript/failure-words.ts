import type { Failure } from "../../../lib/failure.ts";

/** What a refused message means for whoever wrote it, beside the server's own words. */
const ADVICE: Readonly<Record<string, string>> = {
  session_busy:
    "The server runs one message at a time and does not queue this one. Send it when the turn has ended.",
  prompt_too_large: "Shorten the message.",
  auth_required: "The agent must be logged in first.",
  server_draining: "The server is about to stop. Send the message again when it is back.",
  storage_full: "Free some space on the server, then send the message again.",
  rate_limited: "Wait a moment, then send the message again.",
  unsupported_content: "This agent does not take such content.",
  forbidden: "This login may read but not send messages.",
};

const UNANSWERED =
  "It is not known whether the message arrived. Sending it again unchanged is safe: it cannot run twice.";

export function adviceFor(failure: Failure): string | null {
  if (failure.appCode === null) return UNANSWERED;
  return ADVICE[failure.appCode] ?? null;
}
