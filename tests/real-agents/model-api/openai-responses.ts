/** OpenAI Responses, streaming. */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "@signalbox/protocol";
import { z } from "zod";
import type { AnswerPart, ModelRequest, ModelTurn } from "./conversation.ts";
import type { AnswerWriter, Dialect } from "./dialect.ts";
import type { EventStream } from "./event-stream.ts";

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const message = z.looseObject({
  type: z.literal("message").optional(),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content,
});
const callOutput = z.looseObject({ type: z.literal("function_call_output"), output: content });

const responsesRequest = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  instructions: z.string().optional(),
  input: z.array(z.union([message, callOutput, z.looseObject({ type: z.string() })])),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).optional(),
});

export const openaiResponses: Dialect = {
  name: "openai-responses",
  path: "/v1/responses",
  read(body) {
    const { model, instructions = "", input, tools = [] } = responsesRequest.parse(body);
    const system = [instructions];
    const turns: ModelTurn[] = [];
    for (const item of input) {
      const said = message.safeParse(item);
      const output = callOutput.safeParse(item);
      if (output.success) turns.push({ role: "tool", text: textOf(output.data.output) });
      if (!said.success) continue;
      const { role } = said.data;
      const text = textOf(said.data.content);
      if (role === "system" || role === "developer") system.push(text);
      else turns.push({ role, text });
    }
    return {
      model,
      system: system.join("\n"),
      turns,
      tools: tools.map(({ type, name }) => name ?? type),
    };
  },
  writer: (request, stream) => new ResponseWriter(request, stream),
  errorBody: (status, message) => ({
    error: { message, type: "server_error", code: String(status) },
  }),
};

function textOf(value: z.infer<typeof content>): string {
  return typeof value === "string" ? value : value.map(({ text = "" }) => text).join("\n");
}

class ResponseWriter implements AnswerWriter {
  readonly #stream: EventStream;
  readonly #response: JsonObject;
  readonly #output: JsonObject[] = [];
  #openMessage: { id: string; text: string } | null = null;

  constructor(request: ModelRequest, stream: EventStream) {
    this.#stream = stream;
    this.#response = { id: `resp_${randomUUID()}`, object: "response", model: request.model };
    stream.send({
      type: "response.created",
      response: { ...this.#response, status: "in_progress", output: [] },
    });
  }

  write(part: AnswerPart): void {
    if (part.kind !== "text") this.#closeMessage();
    switch (part.kind) {
      case "text":
        this.#writeText(part.text);
        break;
      case "thought":
        this.#writeThought(part.text);
        break;
      case "tool_call":
        this.#writeCall(part.name, part.input);
        break;
    }
  }

  finish(): void {
    this.#closeMessage();
    this.#stream.send({
      type: "response.completed",
      response: {
        ...this.#response,
        status: "completed",
        output: this.#output,
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 120,
        },
      },
    });
  }

  #writeText(text: string): void {
    if (!this.#openMessage) {
      this.#openMessage = { id: `msg_${randomUUID()}`, text: "" };
      this.#added({ ...messageItem(this.#openMessage), status: "in_progress", content: [] });
    }
    this.#openMessage.text += text;
    this.#stream.send({
      type: "response.output_text.delta",
      item_id: this.#openMessage.id,
      output_index: this.#output.length,
      content_index: 0,
      delta: text,
    });
  }

  #writeThought(text: string): void {
    const id = `rs_${randomUUID()}`;
    const place = { item_id: id, output_index: this.#output.length, summary_index: 0 };
    const part = { type: "summary_text", text };
    this.#added({ type: "reasoning", id, summary: [] });
    this.#stream.send({
      type: "response.reasoning_summary_part.added",
      ...place,
      part: { ...part, text: "" },
    });
    this.#stream.send({ type: "response.reasoning_summary_text.delta", ...place, delta: text });
    this.#done({ type: "reasoning", id, summary: [part] });
  }

  #writeCall(name: string, input: JsonObject): void {
    const call = {
      type: "function_call",
      id: `fc_${randomUUID()}`,
      call_id: `call_${randomUUID()}`,
      name,
      arguments: JSON.stringify(input),
    };
    this.#added({ ...call, status: "in_progress" });
    this.#done({ ...call, status: "completed" });
  }

  #closeMessage(): void {
    if (this.#openMessage) this.#done(messageItem(this.#openMessage));
    this.#openMessage = null;
  }

  #added(item: JsonObject): void {
    this.#stream.send({
      type: "response.output_item.added",
      output_index: this.#output.length,
      item,
    });
  }

  #done(item: JsonObject): void {
    this.#stream.send({
      type: "response.output_item.done",
      output_index: this.#output.length,
      item,
    });
    this.#output.push(item);
  }
}

function messageItem({ id, text }: { id: string; text: string }): JsonObject {
  return {
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}
