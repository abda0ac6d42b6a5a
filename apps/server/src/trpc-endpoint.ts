/** tRPC over HTTP and WebSocket, and the guard that tRPC's own socket adapter lacks. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Runtime } from "@signalbox/acp-runtime";
import { type ApiContext, appRouter, type SystemFacts, toAppError } from "@signalbox/api";
import type { Database } from "@signalbox/db";
import { type AcpLimits, AppError, limitError, limitPath } from "@signalbox/protocol";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { bearerOf, identify } from "./access.ts";
import { sendError, sendJson } from "./answers.ts";
import { BAD_REQUEST_RPC, batchRefusal, decodeMessages, MAX_BATCH_SIZE } from "./batch-guard.ts";
import type { Log } from "./log.ts";
import { whenWritable } from "./writable-socket.ts";

/** Room for the JSON around a prompt of the largest size. */
const ENVELOPE_BYTES = 1024 * 1024;
const UNAUTHORIZED_CLOSE = 4401;
/** A socket that has not shown a valid token by then is closed. */
const HANDSHAKE_MS = 4_000;
const PING_MS = 30_000;
const PONG_WAIT_MS = 10_000;
/** How long a stop waits for a peer's half of the close handshake. */
const CLOSE_WAIT_MS = 1_000;

/** tRPC's first message on a socket whose address announces it. */
const connectionParams = z.object({
  method: z.literal("connectionParams"),
  data: z.record(z.string(), z.string()).nullable(),
});

export interface TrpcEndpointOptions {
  readonly db: Database;
  readonly runtime: Runtime;
  readonly system: SystemFacts;
  readonly limits: AcpLimits;
  readonly log: Log;
}

export class TrpcEndpoint {
  readonly #options: TrpcEndpointOptions;
  readonly #sockets: WebSocketServer;
  readonly #handler: ReturnType<typeof applyWSSHandler>;
  readonly #maxBodyBytes: number;
  /** Calls off the hand-shake's deadline. */
  readonly #handshakes = new WeakMap<WebSocket, NodeJS.Timeout>();
  /** What peers did to their own sockets: tRPC reports it again as if a procedure had failed. */
  readonly #peerErrors = new WeakSet<Error>();

  constructor(options: TrpcEndpointOptions) {
    this.#options = options;
    this.#maxBodyBytes = options.limits.maxPromptBytes + ENVELOPE_BYTES;
    this.#sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: this.#maxBodyBytes,
    });
    this.#handler = applyWSSHandler({
      wss: this.#sockets,
      router: appRouter,
      createContext: ({ req, res, info }) =>
        this.#socketContext(
          req,
          res,
          info.connectionParams?.token ?? bearerOf(req.headers.authorization),
        ),
      experimental_encoder: { encode: JSON.stringify, decode: decodeMessages },
      keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PONG_WAIT_MS },
      onError: ({ error, path }) => this.#onError(error, path),
    });
  }

  /** @param path the procedures named, without the `/trpc/` before them */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (await this.#refuseLargeBody(request, response)) return;
    const refusal = batchRefusal(path.split(","));
    if (refusal && path.includes(",")) {
      const { message } = refusal;
      const error = { error: { message, code: BAD_REQUEST_RPC, data: refusal.toData() } };
      sendJson(
        response,
        400,
        path.split(",").map(() => error),
      );
      return;
    }
    // A mutation whose input is left out has no body, which no parser of JSON takes.
    if (request.method === "POST" && hasNoBody(request)) Object.assign(request, { body: {} });
    await nodeHTTPRequestHandler({
      router: appRouter,
      req: request,
      res: response,
      path,
      maxBodySize: this.#maxBodyBytes,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: ({ req, res }) => this.#httpContext(req, res),
      responseMeta: ({ errors, info, ctx }) => {
        const first = errors[0];
        if (!first || info?.isBatchCall) return {};
        return { status: toAppError(first, ctx).toData().httpStatus };
      },
      onError: ({ error, path: procedure }) => this.#onError(error, procedure),
    });
  }

  /** Before a byte of it is read; a body of unknown length is cut off at the same size. */
  async #refuseLargeBody(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const actual = Number(request.headers["content-length"] ?? 0);
    if (actual <= this.#maxBodyBytes) return false;
    const identity = await identify(this.#options.db, bearerOf(request.headers.authorization));
    const max = this.#options.limits.maxPromptBytes;
    response.setHeader("Connection", "close");
    sendError(
      response,
      identity
        ? limitError("prompt_too_large", `the body has ${actual} bytes, limit ${max}`, {
            limit: limitPath("maxPromptBytes"),
            max,
            actual,
          })
        : new AppError("unauthorized", "a valid bearer token is required"),
    );
    return true;
  }

  /** @param address whether it announces a first message with the caller's token */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    address: { readonly announcesParams: boolean },
  ): void {
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const timer = setTimeout(
        () => client.close(UNAUTHORIZED_CLOSE, "unauthorized"),
        HANDSHAKE_MS,
      );
      this.#handshakes.set(client, timer);
      client.once("close", () => clearTimeout(timer));
      client.on("error", (error) => {
        this.#peerErrors.add(error);
        this.#options.log.debug("a socket failed", { reason: error.message });
      });
      // Before tRPC hears it: a first message that is no token ends the socket as any other does.
      if (address.announcesParams) {
        client.once("message", (data) => this.#checkFirst(client, data));
      }
      this.#sockets.emit("connection", client, request);
    });
  }

  /** Tells clients to come back, then closes every socket, those that do not answer as well. */
  async close(): Promise<void> {
    this.#handler.broadcastReconnectNotification();
    for (const client of this.#sockets.clients) client.close(1001, "server stopping");
    const patience = setTimeout(() => {
      for (const client of this.#sockets.clients) client.terminate();
    }, CLOSE_WAIT_MS);
    await new Promise<void>((resolve) => this.#sockets.close(() => resolve()));
    clearTimeout(patience);
  }

  async #httpContext(request: IncomingMessage, response: ServerResponse): Promise<ApiContext> {
    const secret = bearerOf(request.headers.authorization);
    return {
      ...this.#context(request),
      identity: await identify(this.#options.db, secret),
      writable: (signal) => whenWritable(response, signal),
    };
  }

  async #socketContext(
    request: IncomingMessage,
    client: WebSocket,
    secret: string | null,
  ): Promise<ApiContext> {
    const identity = await identify(this.#options.db, secret);
    if (!identity) {
      client.close(UNAUTHORIZED_CLOSE, "unauthorized");
      throw new AppError("unauthorized", "a valid token is required in connectionParams.token");
    }
    clearTimeout(this.#handshakes.get(client));
    const { socket } = request;
    return {
      ...this.#context(request),
      identity,
      writable: (signal) => whenWritable(socket, signal),
    };
  }

  #checkFirst(client: WebSocket, data: RawData): void {
    if (connectionParams.safeParse(parsed(data)).success) return;
    client.close(UNAUTHORIZED_CLOSE, "unauthorized");
  }

  #context(request: IncomingMessage) {
    const { runtime, system } = this.#options;
    return { runtime, system, address: request.socket.remoteAddress ?? null };
  }

  #onError(error: Error, path: string | undefined): void {
    if (toAppError(error).code !== "internal") return;
    const cause = error.cause instanceof Error ? error.cause : error;
    if (this.#peerErrors.has(cause)) return;
    this.#options.log.error("a procedure failed", { path, stack: cause.stack });
  }
}

function parsed(data: RawData): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

function hasNoBody(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return encoding === undefined && Number(length ?? 0) === 0;
}
