import type { JsonObject } from "@signalbox/protocol";
import type { AnswerPart, ModelRequest } from "./conversation.ts";
import type { EventStream } from "./event-stream.ts";

/** One vendor's wire format for the same conversation. */
export interface Dialect {
  readonly name: "anthropic-messages" | "openai-responses";
  readonly path: string;
  /** @throws ZodError when the body is not a streaming request of this dialect */
  read(body: unknown): ModelRequest;
  writer(request: ModelRequest, stream: EventStream): AnswerWriter;
  errorBody(status: number, message: string): JsonObject;
}

/** Writes one answer: its parts in order, then the end. */
export interface AnswerWriter {
  write(part: AnswerPart): void;
  finish(): void;
}
