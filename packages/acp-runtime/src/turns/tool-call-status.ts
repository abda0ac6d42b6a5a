import type { JsonObject } from "@signalbox/protocol";

const FINAL: ReadonlySet<string> = new Set(["completed", "failed"]);

/** The last status of each tool call of a turn. */
export class ToolCallStatuses {
  readonly #status = new Map<string, string>();

  take(update: JsonObject): void {
    const isToolCall =
      update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update";
    if (!isToolCall || typeof update.toolCallId !== "string") return;
    const known = this.#status.get(update.toolCallId) ?? "pending";
    this.#status.set(update.toolCallId, typeof update.status === "string" ? update.status : known);
  }

  /** Tool calls that are neither completed nor failed, in the order they appeared. */
  get open(): string[] {
    return [...this.#status]
      .filter(([, status]) => !FINAL.has(status))
      .map(([toolCallId]) => toolCallId);
  }
}
