/** What an entry is called in a row: the reason it is here, and its first line. */
import { asObject, asObjects, asText } from "../session/content/json-read.ts";
import { commandOf } from "../session/tools/tool-body.tsx";
import type { InboxEntry } from "./inbox-entry.ts";

const FAILURES: Readonly<Record<string, string>> = {
  adapter_exited: "The agent crashed",
  prompt_delivery_uncertain: "Delivery uncertain",
  prompt_not_delivered: "Not delivered",
  restore_failed: "Not restored",
  auth_required: "Log-in needed",
  adapter_spawn_failed: "The agent did not start",
  adapter_timeout: "The agent did not answer",
};

export function reasonOf(entry: InboxEntry): string {
  if (entry.kind === "permission") return "Permission";
  if (entry.kind === "question") return "Question";
  const { code } = entry.error;
  return Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? code) : "The turn failed";
}

/** One line of what is asked or was said. */
export function headlineOf(entry: InboxEntry): string {
  if (entry.kind === "failure") return entry.error.message;
  if (entry.kind === "question") return entry.request.message;
  const { title, toolCallId } = entry.request.toolCall;
  return asText(title) ?? asText(toolCallId) ?? "Unnamed action";
}

/** The command, address or path that a permission is about, where the agent says it. */
export function subjectOf(entry: InboxEntry): string | null {
  if (entry.kind !== "permission") return null;
  const { rawInput, locations } = entry.request.toolCall;
  const [location] = asObjects(locations);
  const subject = commandOf(rawInput) ?? asText(asObject(rawInput)?.url) ?? asText(location?.path);
  return subject === headlineOf(entry) ? null : subject;
}
