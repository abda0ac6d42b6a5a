/** What a notification of the system says about a request, and which requests are news. */
import type { PendingPermission, PendingQuestion } from "@signalbox/protocol";

type Pending = PendingPermission | PendingQuestion;

const MAX_CHARACTERS = 160;

/** Our own words first: what the agent wrote comes after them and cannot pass for them. */
export function noticeText(request: Pending): string {
  if ("message" in request) return shortened(`Has a question: ${request.message}`);
  const { title } = request.toolCall;
  return typeof title === "string" && title.trim() !== ""
    ? shortened(`Asks for permission: ${title}`)
    : "Asks for permission";
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}

/**
 * The requests that were not there before.
 *
 * @param known null before the first list: what waits already when the page opens is no news
 */
export function unseenRequests<R extends { requestId: string }>(
  known: ReadonlySet<string> | null,
  requests: readonly R[],
): readonly R[] {
  return known === null ? [] : requests.filter((request) => !known.has(request.requestId));
}
