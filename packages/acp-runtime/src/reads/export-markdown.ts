/** Events as a transcript in Markdown. What anybody said is quoted and escaped: it is text here. */
import type { SessionRow } from "@signalbox/db";
import { type DurableEvent, isJsonObject, type JsonValue, OWN_EVENT } from "@signalbox/protocol";

const SPEAKERS: Readonly<Record<string, string>> = {
  user_message_chunk: "User",
  agent_message_chunk: "Agent",
  agent_thought_chunk: "Agent, thinking",
};

export function markdownHead(session: SessionRow): string {
  const title = session.title ?? session.sessionId;
  const { agent, cwd } = session;
  return `# ${inline(title)}\n\n${inline(agent)} in ${inline(cwd)}\n\n`;
}

/** @returns an empty text for an event that a reader does not miss */
export function markdownOf(event: DurableEvent): string {
  const speaker = SPEAKERS[event.type];
  if (speaker !== undefined) {
    return `**${speaker}** (${event.timestamp})\n\n${quoted(blockText(event.content))}\n\n`;
  }
  switch (event.type) {
    case "tool_call":
      return line("Tool call", `${text(event.title)} [${text(event.status) || "pending"}]`);
    case "tool_call_update":
      return event.status === undefined
        ? ""
        : line(
            "Tool call",
            `${text(event.title) || text(event.toolCallId)} [${text(event.status)}]`,
          );
    case "permission_request":
      return line("Permission asked", toolTitle(event.toolCall));
    case "permission_response":
      return line("Permission", outcomeText(event));
    case OWN_EVENT.questionRequest:
      return line("Question", text(event.message));
    case OWN_EVENT.questionResponse:
      return line("Answer", text(event.action));
    case OWN_EVENT.turnEnded:
      return `${line("Turn ended", endText(event))}---\n\n`;
    case OWN_EVENT.adapterExited:
      return line("The agent exited", `code ${text(event.exitCode)}, signal ${text(event.signal)}`);
    case OWN_EVENT.restored:
      return line("The session was restored", text(event.mode));
    default:
      return "";
  }
}

function line(label: string, what: string): string {
  return `_${label}: ${inline(what)}_\n\n`;
}

function text(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function blockText(content: JsonValue | undefined): string {
  if (!isJsonObject(content)) return text(content);
  if (typeof content.text === "string") return content.text;
  return `[${text(content.type)}] ${text(content.uri ?? content.name)}`.trim();
}

function toolTitle(toolCall: JsonValue | undefined): string {
  return isJsonObject(toolCall) ? text(toolCall.title ?? toolCall.toolCallId) : "";
}

function outcomeText({ outcome, reason, resolvedBy }: DurableEvent): string {
  const chosen = isJsonObject(outcome) ? text(outcome.optionId ?? outcome.outcome) : "";
  const by = isJsonObject(resolvedBy) ? `by ${text(resolvedBy.name)}` : text(reason);
  return `${chosen} ${by}`.trim();
}

function endText({ stopReason, error }: DurableEvent): string {
  if (!isJsonObject(error)) return text(stopReason);
  return `${text(error.code)}: ${text(error.message)}`;
}

function quoted(said: string): string {
  return said
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((each) => `> ${escaped(each)}`.trimEnd())
    .join("\n");
}

/** On one line, whatever it holds. */
function inline(said: string): string {
  return escaped(said.replace(/\s+/g, " ").trim());
}

/** Controls and directions of writing that could hide what is there. */
const HIDDEN = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(said: string): string {
  return said
    .replace(/\t/g, "    ")
    .replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\\`*_{}[\]()#+\-.!|~:@=^$]/g, "\\$&")
    .replace(/^ {4,}/, (spaces) => "&nbsp;".repeat(spaces.length));
}
