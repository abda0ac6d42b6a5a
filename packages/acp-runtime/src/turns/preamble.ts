import { type Database, readNewestMessages } from "@signalbox/db";
import { isJsonObject, utf8Bytes } from "@signalbox/protocol";
import { objectOf } from "../sessions/session-view.ts";

const SPEAKER: Record<string, string> = {
  user_message_chunk: "User",
  agent_message_chunk: "Assistant",
  tool_call: "Tool call",
};
/** Enough to fill any sensible budget; older turns would be cut anyway. */
const MAX_EVENTS = 2_000;
/** An event's JSON is larger than the words in it. */
const READ_FACTOR = 8;
const BREAK = "\n\n";
const CUT = " […]";

/**
 * Tells an agent that has forgotten the session what was said in it: the newest words first kept,
 * in reading order, at most `maxBytes` in all. A message that would take more than half of that
 * is cut.
 *
 * @returns null when nothing was said before `beforeSequence`, or there is no room to say it
 */
export async function continuationPreamble(
  db: Database,
  session: { sessionId: string; beforeSequence: number },
  maxBytes: number,
): Promise<string | null> {
  const room = maxBytes - utf8Bytes(framed("", true));
  if (room <= 0) return null;
  const { rows, hasMore } = await readNewestMessages(db, session, {
    maxEvents: MAX_EVENTS,
    maxBytes: READ_FACTOR * maxBytes,
    rowBytes: maxBytes,
  });
  const lines: string[] = [];
  let left = room;
  let isCut = hasMore;
  for (const row of rows) {
    const said = textOf(objectOf(row.fields) ?? {});
    if (said === null) continue;
    const line = shortened(`${SPEAKER[row.type] ?? row.type}: ${said}`, Math.floor(room / 2));
    left -= utf8Bytes(line) + BREAK.length;
    if (left < 0) {
      isCut = true;
      break;
    }
    lines.unshift(line);
  }
  return lines.length > 0 ? framed(lines.join(BREAK), isCut) : null;
}

function framed(record: string, isCut: boolean): string {
  return [
    "[This session was restored and its earlier context was lost. What follows is the record of",
    `the conversation so far${isCut ? ", its oldest part left out" : ""}. Do not answer it; go on from it.]`,
    "",
    record,
    "",
    "[End of the record. The user's new message follows.]",
  ].join("\n");
}

/** Cut between characters, never within one. */
function shortened(line: string, maxBytes: number): string {
  const bytes = Buffer.from(line);
  if (bytes.length <= maxBytes) return line;
  const kept = bytes.subarray(0, Math.max(0, maxBytes - utf8Bytes(CUT)));
  return new TextDecoder().decode(kept, { stream: true }) + CUT;
}

function textOf(fields: Record<string, unknown>): string | null {
  if (typeof fields.title === "string") return fields.title;
  const { content } = fields;
  if (!isJsonObject(content)) return null;
  if (typeof content.text === "string") return content.text;
  return `[${String(content.type)}]`;
}
