/** Anthropic Messages, streaming. */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "@signalbox/protocol";
import { z } from "zod";
import type { AnswerPart, ModelRequest, ModelTurn } from "./conversation.ts";
import type { AnswerWriter, Dialect } from "./dialect.ts";
import type { EventStream } from "./event-stream.ts";

const textBlock = z.looseObject({ type: z.literal("text"), text: z.string() });
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  content: z
    .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
    .optional(),
});
const block = z.union([textBlock, toolResult, z.looseObject({ type: z.string() })]);
type Block = z.infer<typeof block>;

const messagesRequest = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  messages: z.array(
    z.looseObject({
      role: z.enum(["user", "assistant"]),
      content: z.union([z.string(), z.array(block)]),
    }),
  ),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});

/** What the agent itself puts beside the user's words: an instruction, no turn of the user. */
const AGENT_ASIDE = /^\s*(<system-reminder>|\[Request interrupted)/;

export const anthropicMessages: Dialect = {
  name: "anthropic-messages",
  path: "/v1/messages",
  read(body) {
    const { model, system = "", messages, tools = [] } = messagesRequest.parse(body);
    const instructions = typeof system === "string" ? [system] : system.map(({ text }) => text);
    const turns = messages.flatMap(({ role, content }) =>
      typeof content === "string" ? [{ role, text: content }] : turnsOf(role, content),
    );
    const asides = turns.filter(({ text }) => AGENT_ASIDE.test(text));
    return {
      model,
      system: [...instructions, ...asides.map(({ text }) => text)].join("\n"),
      turns: turns.filter((turn) => !asides.includes(turn)),
      tools: tools.map(({ name }) => name),
    };
  },
  writer: (request, stream) => new MessageWriter(request, stream),
  errorBody: (_, message) => ({ type: "error", error: { type: "api_error", message } }),
};

function turnsOf(role: "user" | "assistant", blocks: Block[]): ModelTurn[] {
  return blocks.flatMap((part): ModelTurn[] => {
    const result = toolResult.safeParse(part);
    if (result.success) return [{ role: "tool", text: resultText(result.data.content) }];
    const text = textBlock.safeParse(part);
    return text.success ? [{ role, text: text.data.text }] : [];
  });
}

function resultText(content: z.infer<typeof toolResult>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("\n");
}

class MessageWriter implements AnswerWriter {
  readonly #stream: EventStream;
  #index = -1;
  #open: AnswerPart["kind"] | null = null;
  #stopReason: "end_turn" | "tool_use" = "end_turn";

  constructor(request: ModelRequest, stream: EventStream) {
    this.#stream = stream;
    stream.send({
      type: "message_start",
      message: {
        id: `msg_${randomUUID()}`,
        type: "message",
        role: "assistant",
        model: request.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 100,
          output_tokens: 1,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        },
      },
    });
  }

  write(part: AnswerPart): void {
    switch (part.kind) {
      case "text":
        if (this.#open !== "text") this.#begin("text", { type: "text", text: "" });
        this.#delta({ type: "text_delta", text: part.text });
        break;
      case "thought":
        this.#begin("thought", { type: "thinking", thinking: "", signature: "" });
        this.#delta({ type: "thinking_delta", thinking: part.text });
        this.#delta({ type: "signature_delta", signature: "c3R1Yg==" });
        break;
      case "tool_call":
        this.#stopReason = "tool_use";
        this.#begin("tool_call", {
          type: "tool_use",
          id: `toolu_${randomUUID()}`,
          name: part.name,
          input: {},
        });
        this.#delta({ type: "input_json_delta", partial_json: JSON.stringify(part.input) });
        break;
    }
  }

  finish(): void {
    this.#close();
    this.#stream.send({
      type: "message_delta",
      delta: { stop_reason: this.#stopReason, stop_sequence: null },
      usage: { output_tokens: 20 },
    });
    this.#stream.send({ type: "message_stop" });
  }

  #begin(kind: AnswerPart["kind"], contentBlock: JsonObject): void {
    this.#close();
    this.#open = kind;
    this.#index += 1;
    this.#stream.send({
      type: "content_block_start",
      index: this.#index,
      content_block: contentBlock,
    });
  }

  #delta(delta: JsonObject): void {
    this.#stream.send({ type: "content_block_delta", index: this.#index, delta });
  }

  #close(): void {
    if (this.#open) this.#stream.send({ type: "content_block_stop", index: this.#index });
    this.#open = null;
  }
}
