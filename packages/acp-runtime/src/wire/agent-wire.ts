/**
 * The JSON-RPC peer on a running agent.
 *
 * Every line is handled synchronously when it is read, so what handlers see is the order of
 * the wire: an answer settles only after all updates before it were handed over. Nothing is
 * validated beyond what routing needs, since an agent may be newer than this build.
 */
import {
  type AppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  limitError,
  limitPath,
} from "@signalbox/protocol";
import type { AgentTransport } from "./agent-transport.ts";
import { jsonSlice } from "./json-slice.ts";
import { LineQueue } from "./line-queue.ts";
import { NdjsonReader } from "./ndjson-reader.ts";
import { PendingRequests } from "./pending-requests.ts";
import { RPC_CODE, WireClosedError } from "./rpc-error.ts";
import type { RequestOptions, Wire, WireHandlers, WireNoise, WireOptions } from "./wire.ts";

const NOISE_CHARACTERS = 4096;
/** Answers that an agent does not read may take this much memory before its output waits too. */
const MAX_UNREAD_ANSWERS_BYTES = 16 * 1024 * 1024;
const DUPLICATE_ID = JSON.stringify({
  code: RPC_CODE.invalidRequest,
  message: "A request with this id is still open",
});

/** Opens the JSON-RPC peer on a running agent and begins to read. */
export function openWire(
  transport: AgentTransport,
  handlers: WireHandlers,
  options: WireOptions,
): Wire {
  return new AgentWire(transport, handlers, options);
}

/** The peer behind {@link Wire}. */
class AgentWire implements Wire {
  readonly closed: Promise<void>;
  readonly #transport: AgentTransport;
  readonly #handlers: WireHandlers;
  readonly #reader: NdjsonReader;
  readonly #lines: LineQueue;
  readonly #requests: PendingRequests;
  readonly #openIncoming = new Set<string>();
  readonly #settleClosed: () => void;
  #noiseCount = 0;
  #unreadAnswersBytes = 0;
  #isPausedByConsumer = false;
  #isClosed = false;
  #closeReason: Error | null = null;

  constructor(transport: AgentTransport, handlers: WireHandlers, options: WireOptions) {
    let settleClosed = (): void => {};
    this.closed = new Promise((resolve) => {
      settleClosed = resolve;
    });
    this.#settleClosed = settleClosed;
    this.#transport = transport;
    this.#handlers = handlers;
    this.#lines = new LineQueue((line) => transport.write(line));
    this.#requests = new PendingRequests((text, settle) => this.#lines.push(text, settle));
    this.#reader = new NdjsonReader(
      {
        onLine: (line) => this.#onLine(line),
        onTruncated: (text) => this.#noise("truncated", text),
        onLineTooLong: (actualBytes) => this.close(lineTooLong(options.maxLineBytes, actualBytes)),
      },
      options.maxLineBytes,
    );
    transport.stdout.on("data", this.#onData);
    transport.stdout.once("end", this.#onEnd);
    transport.stdout.once("close", this.#onEnd);
    transport.stdout.on("error", this.#onError);
    if (transport.stdout.destroyed || transport.stdout.readableEnded) this.#onEnd();
  }

  get noiseCount(): number {
    return this.#noiseCount;
  }

  get closeReason(): Error | null {
    return this.#closeReason;
  }

  request(
    method: string,
    params: JsonValue | undefined,
    options: RequestOptions,
  ): Promise<JsonValue> {
    return this.#requests.start(method, params, options);
  }

  notify(method: string, params: JsonValue | undefined): void {
    this.#lines.push(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  notifyUrgent(method: string, params: JsonValue | undefined): void {
    this.#lines.pushUrgent(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  respond(id: string, result: JsonValue): void {
    this.#answer(id, `"result":${JSON.stringify(result)}`);
  }

  respondError(id: string, code: number, message: string): void {
    this.#answer(id, `"error":${JSON.stringify({ code, message })}`);
  }

  pause(): void {
    this.#isPausedByConsumer = true;
    this.#applyPause();
  }

  resume(): void {
    this.#isPausedByConsumer = false;
    this.#applyPause();
  }

  close(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closeReason = error ?? null;
    const { stdout } = this.#transport;
    this.#reader.stop();
    stdout.off("data", this.#onData);
    stdout.off("end", this.#onEnd);
    stdout.off("close", this.#onEnd);
    // The error listener stays: destroying a pipe may still report one.
    stdout.destroy();
    this.#requests.rejectAll(this.#closeReason);
    this.#lines.fail(new WireClosedError("the agent's wire is closed", this.#closeReason));
    this.#settleClosed();
  }

  readonly #onData = (chunk: Uint8Array): void => {
    try {
      this.#reader.push(chunk);
    } catch (cause) {
      this.close(asError(cause));
    }
  };

  readonly #onEnd = (): void => {
    try {
      this.#reader.end();
      this.close();
    } catch (cause) {
      this.close(asError(cause));
    }
  };

  readonly #onError = (error: Error): void => this.close(error);

  #onLine(line: string): void {
    const message = parse(line);
    if (message === undefined) {
      this.#noise("text", line);
    } else if (!isJsonObject(message)) {
      this.#noise("malformed", line);
    } else if (typeof message.method === "string") {
      this.#onCall(message.method, message, line);
    } else if (Object.hasOwn(message, "id") && message.method === undefined) {
      if (!this.#requests.settle(message)) this.#noise("response", line);
    } else {
      this.#noise("malformed", line);
    }
  }

  #onCall(method: string, message: JsonObject, line: string): void {
    if (Object.hasOwn(message, "id")) {
      this.#onRequest(method, message, line);
    } else if (method === "session/update") {
      this.#onUpdate(message.params, line);
    } else {
      this.#handlers.onNotification(method, message.params);
    }
  }

  #onUpdate(params: JsonValue | undefined, line: string): void {
    const agentSessionId = isJsonObject(params) ? params.sessionId : undefined;
    const update = isJsonObject(params) ? params.update : undefined;
    const raw = jsonSlice(line, ["params", "update"]);
    if (
      typeof agentSessionId !== "string" ||
      !isJsonObject(update) ||
      typeof update.sessionUpdate !== "string" ||
      raw === undefined
    ) {
      this.#noise("malformed", line);
      return;
    }
    this.#handlers.onUpdate({ agentSessionId, update, raw });
  }

  #onRequest(method: string, message: JsonObject, line: string): void {
    const id = jsonSlice(line, ["id"]) ?? JSON.stringify(message.id);
    if (this.#openIncoming.has(id)) {
      this.#writeAnswer(id, `"error":${DUPLICATE_ID}`);
      return;
    }
    this.#openIncoming.add(id);
    const onThrow = (error: unknown): void => {
      this.respondError(id, RPC_CODE.internalError, "Internal error");
      this.#handlers.onHandlerError(error, method);
    };
    try {
      const handled = this.#handlers.onRequest({
        id,
        method,
        params: message.params,
        rawLine: line,
      });
      if (handled !== undefined) void handled.catch(onThrow);
    } catch (error) {
      onThrow(error);
    }
  }

  #answer(id: string, outcome: string): void {
    if (!this.#openIncoming.delete(id)) return;
    this.#writeAnswer(id, outcome);
  }

  #writeAnswer(id: string, outcome: string): void {
    const text = `{"jsonrpc":"2.0","id":${id},${outcome}}`;
    this.#unreadAnswersBytes += text.length;
    this.#applyPause();
    this.#lines.push(text, () => {
      this.#unreadAnswersBytes -= text.length;
      this.#applyPause();
    });
  }

  #applyPause(): void {
    if (this.#isClosed) return;
    const { stdout } = this.#transport;
    const isPaused =
      this.#isPausedByConsumer || this.#unreadAnswersBytes > MAX_UNREAD_ANSWERS_BYTES;
    if (isPaused === stdout.isPaused()) return;
    if (isPaused) stdout.pause();
    else stdout.resume();
  }

  #noise(kind: WireNoise["kind"], text: string): void {
    this.#noiseCount += 1;
    this.#handlers.onNoise({ kind, text: text.slice(0, NOISE_CHARACTERS) });
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

function lineTooLong(max: number, actual: number): AppError {
  return limitError("limit_exceeded", `a line from the agent holds more than ${max} bytes`, {
    limit: limitPath("maxLineBytes"),
    max,
    actual,
  });
}
