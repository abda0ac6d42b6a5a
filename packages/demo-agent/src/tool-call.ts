import { randomUUID } from "node:crypto";
import type { ToolCall, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Turn } from "./turn.ts";

/** A tool call that was announced and can still change. */
export class OpenToolCall {
  readonly id: string;
  readonly #turn: Turn;

  private constructor(turn: Turn, id: string) {
    this.#turn = turn;
    this.id = id;
  }

  /** Announces a call as pending, unless `call.status` says otherwise. */
  static async start(turn: Turn, call: Omit<ToolCall, "toolCallId">): Promise<OpenToolCall> {
    const open = new OpenToolCall(turn, `call-${randomUUID()}`);
    const toolCallId = open.id;
    await turn.send({ sessionUpdate: "tool_call", status: "pending", ...call, toolCallId });
    return open;
  }

  async update(change: Omit<ToolCallUpdate, "toolCallId">): Promise<void> {
    await this.#turn.send({ sessionUpdate: "tool_call_update", ...change, toolCallId: this.id });
  }
}
