/**
 * A local stand-in of the model APIs. It listens on 127.0.0.1 alone, answers by the script in the
 * prompt (script.ts), and keeps what it was sent, so that a test can look at an agent from behind.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { anthropicMessages } from "./anthropic-messages.ts";
import { type ModelRequest, userTurns } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import { EventStream } from "./event-stream.ts";
import { openaiResponses } from "./openai-responses.ts";
import { answerTo } from "./script.ts";

/** One request and how it ended. */
export interface ModelExchange {
  dialect: Dialect["name"];
  request: ModelRequest;
  /** The key that came with it, from either vendor's header. */
  apiKey: string | null;
  /** `hung_up`: the client went away before the end of the answer. */
  ending: "open" | "answered" | "hung_up";
}

const dialects = [anthropicMessages, openaiResponses];

export class ModelApi implements AsyncDisposable {
  /** All requests so far, in order of arrival. */
  readonly exchanges: ModelExchange[] = [];
  readonly #faults: unknown[] = [];
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((fault) => {
      this.#faults.push(fault);
      response.destroy();
    });
  });

  private constructor() {}

  static async start(): Promise<ModelApi> {
    const api = new ModelApi();
    await new Promise<void>((resolve, reject) => {
      api.#server.once("error", reject);
      api.#server.listen(0, "127.0.0.1", resolve);
    });
    return api;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // listening on TCP since start()
    return `http://127.0.0.1:${port}`;
  }

  /** Every exchange whose last user turn contains the words. */
  exchangesAbout(words: string): ModelExchange[] {
    return this.exchanges.filter(({ request }) => userTurns(request).at(-1)?.includes(words));
  }

  /** @throws AggregateError with what went wrong in the stand-in itself since its start */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.#faults.length > 0) throw new AggregateError(this.#faults, "the stand-in failed");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://model-api");
    const dialect = dialects.find(({ path }) => path === pathname);
    if (request.method !== "POST" || !dialect) {
      response.writeHead(request.method === "HEAD" ? 200 : 404).end();
      return;
    }
    const asked = dialect.read(await json(request));
    const exchange: ModelExchange = {
      dialect: dialect.name,
      request: asked,
      apiKey: apiKeyOf(request),
      ending: "open",
    };
    this.exchanges.push(exchange);
    response.once("close", () => {
      exchange.ending = response.writableFinished ? "answered" : "hung_up";
    });
    await respond(dialect, exchange, response);
  }
}

async function respond(
  dialect: Dialect,
  { request, apiKey }: ModelExchange,
  response: ServerResponse,
): Promise<void> {
  const answer = answerTo(request, apiKey ?? "");
  if (answer.kind === "error") {
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(dialect.errorBody(answer.status, answer.message)));
    return;
  }
  const stream = new EventStream(response);
  if (answer.kind === "silence") return;
  const writer = dialect.writer(request, stream);
  for (const part of answer.parts) {
    if (part.kind === "text" && part.afterMs) await stream.pause(part.afterMs);
    if (stream.hangUp.aborted) return;
    writer.write(part);
  }
  writer.finish();
  stream.end();
}

const headers = z.looseObject({
  "x-api-key": z.string().optional(),
  authorization: z.string().optional(),
});

function apiKeyOf(request: IncomingMessage): string | null {
  const { "x-api-key": key, authorization } = headers.parse(request.headers);
  return key ?? authorization?.replace(/^Bearer /, "") ?? null;
}
