import { type Database, readNewestMessages } from "@signalbox/db";
import { isJsonObject, utf8Bytes } from "@signalbox/protocol";
import { objectOf } from "./session-view.ts";

const SPEAKER: Record<string, string> = {
  user_message_chunk: "User",
  agent_message_chunk: "Assistant",
  tool_call: "Tool call",
};
/** Enough to fill any sensible budget; older turns would be cut anyway. */
const MAX_EVENTS = 2_000;

/**
 * Tells an agent that has forgotten the session what was said in it: newest turns first kept,
 * in reading order, at most `maxBytes`.
 *
 * @returns null when nothing was said before `beforeSequence`
 */
export async function continuationPreamble(
  db: Database,
  session: { sessionId: string; beforeSequence: number },
  maxBytes: number,
): Promise<string | null> {
  const rows = await readNewestMessages(db, session.sessionId, MAX_EVENTS);
  const lines: string[] = [];
  let bytes = 0;
  let isCut = false;
  for (const row of rows) {
    if (row.sequence >= session.beforeSequence) continue;
    const said = textOf(objectOf(row.fields) ?? {});
    if (said === null) continue;
    const line = `${SPEAKER[row.type] ?? row.type}: ${said}`;
    bytes += utf8Bytes(line) + 2;
    if (bytes > maxBytes) {
      isCut = true;
      break;
    }
    lines.unshift(line);
  }
  if (lines.length === 0) return null;
  return [
    "[This session was restored and its earlier context was lost. What follows is the record of",
    `the conversation so far${isCut ? ", its oldest part left out" : ""}. Do not answer it; go on from it.]`,
    "",
    lines.join("\n\n"),
    "",
    "[End of the record. The user's new message follows.]",
  ].join("\n");
}

function textOf(fields: Record<string, unknown>): string | null {
  if (typeof fields.title === "string") return fields.title;
  const { content } = fields;
  if (!isJsonObject(content)) return null;
  if (typeof content.text === "string") return content.text;
  return `[${String(content.type)}]`;
}
