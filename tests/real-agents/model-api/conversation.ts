/**
 * What a model is asked and what it answers, in one shape for every wire dialect.
 */
import type { JsonObject } from "@signalbox/protocol";

export interface ModelTurn {
  role: "user" | "assistant" | "tool";
  text: string;
}

export interface ModelRequest {
  model: string;
  /** System and developer text, and what the agent itself puts beside the user's words. */
  system: string;
  turns: ModelTurn[];
  /** Names of the tools on offer. */
  tools: string[];
}

export type AnswerPart =
  | { kind: "text"; text: string; afterMs?: number }
  | { kind: "thought"; text: string }
  | { kind: "tool_call"; name: string; input: JsonObject };

export type Answer =
  | { kind: "parts"; parts: AnswerPart[] }
  | { kind: "error"; status: number; message: string }
  /** The response begins and then nothing comes until the client goes away. */
  | { kind: "silence" };

export function userTurns(request: ModelRequest): string[] {
  return request.turns.filter((turn) => turn.role === "user").map((turn) => turn.text);
}
