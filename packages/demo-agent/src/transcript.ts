/**
 * What a session remembers of its own updates, merged so that a replay is short: one chunk a
 * message, one call a tool, one plan a turn. Bounded; the oldest entries go first.
 */
import type { SessionUpdate, ToolCall, ToolCallUpdate } from "@agentclientprotocol/sdk";

const MAX_ENTRIES = 400;
const MAX_TEXT_CHARACTERS = 256 * 1024;

type Chunk = Extract<
  SessionUpdate,
  { sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk" }
>;

/** Adds one update to the transcript; kinds that tell a state instead of history are left out. */
export function record(transcript: SessionUpdate[], update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      transcript.push(remembered(update));
      break;
    case "agent_message_chunk":
    case "agent_thought_chunk":
      recordChunk(transcript, update);
      break;
    case "tool_call":
      transcript.push({ ...update });
      break;
    case "tool_call_update":
      recordToolUpdate(transcript, update);
      break;
    case "plan":
      recordPlan(transcript, update);
      break;
  }
  if (transcript.length > MAX_ENTRIES) transcript.splice(0, transcript.length - MAX_ENTRIES);
}

/** A user's block as it was, unless it is too large to be written again with every prompt. */
function remembered(chunk: Chunk & { sessionUpdate: "user_message_chunk" }): SessionUpdate {
  if (JSON.stringify(chunk.content).length <= MAX_TEXT_CHARACTERS) return chunk;
  const text = `[${chunk.content.type} block, too large for the demo to remember]`;
  return { ...chunk, content: { type: "text", text } };
}

function recordChunk(transcript: SessionUpdate[], chunk: Chunk): void {
  const last = transcript.at(-1);
  const continues =
    last?.sessionUpdate === chunk.sessionUpdate &&
    last.messageId === chunk.messageId &&
    last.content.type === "text" &&
    chunk.content.type === "text";
  if (!continues) {
    transcript.push({ ...chunk, content: { ...chunk.content } });
    return;
  }
  if (last.content.type !== "text" || chunk.content.type !== "text") return;
  if (last.content.text.length < MAX_TEXT_CHARACTERS) last.content.text += chunk.content.text;
}

function recordToolUpdate(transcript: SessionUpdate[], update: ToolCallUpdate): void {
  const call = transcript.findLast(
    (entry): entry is ToolCall & { sessionUpdate: "tool_call" } =>
      entry.sessionUpdate === "tool_call" && entry.toolCallId === update.toolCallId,
  );
  if (call === undefined) return;
  const meta = mergedMeta(call._meta, update._meta);
  Object.assign(call, update, { sessionUpdate: "tool_call" });
  if (meta !== undefined) call._meta = meta;
}

type Meta = ToolCall["_meta"];

/** Terminal output arrives in pieces and replays as one. */
function mergedMeta(before: Meta, after: Meta): Meta {
  if (!after) return before;
  const merged = { ...before, ...after };
  const earlier = terminalData(before);
  const later = terminalData(after);
  if (earlier !== undefined && later !== undefined) {
    merged.terminal_output = { ...later, data: earlier.data + later.data };
  }
  return merged;
}

function terminalData(meta: Meta): { data: string } | undefined {
  const output = meta?.terminal_output;
  if (typeof output !== "object" || output === null || !("data" in output)) return undefined;
  return typeof output.data === "string" ? { ...output, data: output.data } : undefined;
}

function recordPlan(transcript: SessionUpdate[], plan: SessionUpdate): void {
  const turnStart = transcript.findLastIndex(
    (entry) => entry.sessionUpdate === "user_message_chunk",
  );
  const at = transcript.findLastIndex((entry) => entry.sessionUpdate === "plan");
  if (at > turnStart) transcript[at] = plan;
  else transcript.push(plan);
}
