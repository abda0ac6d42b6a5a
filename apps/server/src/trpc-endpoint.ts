/** tRPC over HTTP and WebSocket, and the guard that tRPC's own socket adapter lacks. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Runtime } from "@signalbox/acp-runtime";
import {
  type Accounts,
  type ApiContext,
  appRouter,
  type CallNote,
  type ExportTickets,
  type SystemFacts,
  toAppError,
} from "@signalbox/api";
import { type AcpLimits, AppError, limitError, limitPath } from "@signalbox/protocol";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { bearerOf, type Caller, type Callers } from "./access.ts";
import type { AccessLog } from "./access-log.ts";
import { sendError, sendJson } from "./answers.ts";
import { BAD_REQUEST_RPC, batchRefusal, decodeMessages, MAX_BATCH_SIZE } from "./batch-guard.ts";
import { type ConnectionLimits, TokenQuota } from "./connection-limits.ts";
import { writeExactly } from "./exact-answer.ts";
import type { LiveConnections } from "./live-connections.ts";
import type { Log } from "./log.ts";
import { targetOf } from "./request-target.ts";
import { encodeMessage } from "./socket-encoder.ts";
import { closeUnauthorized } from "./unauthorized-socket.ts";
import { WaitingRoom } from "./waiting-room.ts";
import { whenWritable } from "./writable-socket.ts";

/** Room for the JSON around a prompt of the largest size. */
const ENVELOPE_BYTES = 1024 * 1024;
/** tRPC's code for `unauthorized`. */
const UNAUTHORIZED_RPC = -32001;
/** The only one that needs no token. */
const OPEN_PROCEDURE = "system.health";
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
  readonly callers: Callers;
  readonly accounts: Accounts;
  readonly tickets: ExportTickets;
  /** What ends with its token. */
  readonly connections: LiveConnections;
  readonly addressOf: (request: IncomingMessage) => string | null;
  readonly runtime: Runtime;
  readonly system: SystemFacts;
  readonly limits: AcpLimits;
  readonly connectionLimits: ConnectionLimits;
  readonly log: Log;
  readonly accessLog: AccessLog;
}

export class TrpcEndpoint {
  readonly #options: TrpcEndpointOptions;
  readonly #sockets: WebSocketServer;
  readonly #handler: ReturnType<typeof applyWSSHandler>;
  readonly #maxBodyBytes: number;
  readonly #waiting: WaitingRoom<WebSocket>;
  readonly #socketsOpen: TokenQuota;
  readonly #subscriptionsOpen: TokenQuota;
  /** What peers did to their own sockets: tRPC reports it again as if a procedure had failed. */
  readonly #peerErrors = new WeakSet<Error>();

  constructor(options: TrpcEndpointOptions) {
    this.#options = options;
    this.#maxBodyBytes = options.limits.maxPromptBytes + ENVELOPE_BYTES;
    const { connectionLimits: max } = options;
    this.#waiting = new WaitingRoom({
      what: "sockets without a token",
      max: max.maxWaitingSockets,
      patienceMs: HANDSHAKE_MS,
      refuse: closeUnauthorized,
    });
    this.#socketsOpen = new TokenQuota("sockets", max, "maxSocketsPerToken");
    this.#subscriptionsOpen = new TokenQuota("subscriptions", max, "maxSubscriptionsPerToken");
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
      experimental_encoder: { encode: encodeMessage, decode: decodeMessages },
      keepAlive: { enabled: true, pingMs: PING_MS, pongWaitMs: PONG_WAIT_MS },
      onError: ({ error, path }) => this.#onError(error, path),
    });
  }

  /** @param path the procedures named, without the `/trpc/` before them */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const paths = path.split(",");
    const caller = await this.#identify(request, bearerOf(request.headers.authorization));
    // Before a byte of the body is read: a stranger is not listened to.
    if (!caller && paths.some((procedure) => procedure !== OPEN_PROCEDURE)) {
      const missing = new AppError("unauthorized", "a valid bearer token is required");
      this.#refuse(request, response, paths, { error: missing, rpcCode: UNAUTHORIZED_RPC });
      return;
    }
    if (this.#refuseLargeBody(request, response)) return;
    const refusal = batchRefusal(paths);
    if (refusal && paths.length > 1) {
      this.#refuse(request, response, paths, { error: refusal, rpcCode: BAD_REQUEST_RPC });
      return;
    }
    // A mutation whose input is left out has no body, which no parser of JSON takes.
    if (request.method === "POST" && hasNoBody(request)) Object.assign(request, { body: {} });
    writeExactly(response);
    await nodeHTTPRequestHandler({
      router: appRouter,
      req: request,
      res: response,
      path,
      maxBodySize: this.#maxBodyBytes,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: async ({ req, res }) => this.#httpContext(req, res, caller),
      responseMeta: ({ errors, info, ctx }) => {
        const first = errors[0];
        if (!first || info?.isBatchCall) return {};
        return { status: toAppError(first, ctx).toData().httpStatus };
      },
      onError: ({ error, path: procedure }) => this.#onError(error, procedure),
    });
  }

  /** Answers every call of a request in tRPC's form, with none of them run. */
  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    paths: readonly string[],
    { error, rpcCode }: { error: AppError; rpcCode: number },
  ): void {
    this.#options.accessLog.refused(request, error);
    const data = error.toData();
    const shape = { error: { message: error.message, code: rpcCode, data } };
    const isBatch = paths.length > 1 || targetOf(request.url)?.searchParams.get("batch") === "1";
    if (!hasNoBody(request)) response.setHeader("Connection", "close");
    sendJson(response, data.httpStatus, isBatch ? paths.map(() => shape) : shape);
  }

  /** Before a byte of it is read; a body of unknown length is cut off at the same size. */
  #refuseLargeBody(request: IncomingMessage, response: ServerResponse): boolean {
    const actual = Number(request.headers["content-length"] ?? 0);
    if (actual <= this.#maxBodyBytes) return false;
    const max = this.#options.limits.maxPromptBytes;
    response.setHeader("Connection", "close");
    sendError(
      response,
      limitError("prompt_too_large", `the body has ${actual} bytes, limit ${max}`, {
        limit: limitPath("maxPromptBytes"),
        max,
        actual,
      }),
    );
    return true;
  }

  /**
   * @param address whether it announces a first message with the caller's token
   * @throws AppError `rate_limited` when too many sockets wait to show theirs
   */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    address: { readonly announcesParams: boolean },
  ): void {
    const peer = this.#options.addressOf(request) ?? "";
    this.#waiting.makePlace(peer);
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#waiting.add(client, peer);
      client.once("close", () => this.#waiting.leave(client));
      client.on("error", (error) => {
        this.#peerErrors.add(error);
        this.#options.log.debug("a socket failed", { reason: error.message });
      });
      // Before tRPC hears it: a first message that is no token ends the socket as any other does.
      if (address.announcesParams) {
        client.once("message", (data) => this.#checkFirst(client, data));
      } else {
        this.#waiting.hear(client);
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

  #httpContext(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Caller | null,
  ): ApiContext {
    if (identity && !response.closed) {
      const { connections } = this.#options;
      const token = { id: identity.tokenId, expiresAtMs: identity.expiresAtMs };
      // A stream ends with its token; an answer on its way, to the revocation too, is given.
      const endStream = () => {
        if (response.headersSent) response.destroy();
      };
      response.once("close", connections.add(token, endStream));
    }
    return {
      ...this.#context(request, identity, "http"),
      identity,
      writable: (signal) => whenWritable(response, signal),
    };
  }

  async #socketContext(
    request: IncomingMessage,
    client: WebSocket,
    secret: string | null,
  ): Promise<ApiContext> {
    const identity = await this.#identify(request, secret);
    const { accessLog } = this.#options;
    if (!identity) {
      closeUnauthorized(client);
      const missing = "a valid token is required in connectionParams.token";
      const error = new AppError("unauthorized", missing);
      accessLog.refused(request, error);
      throw error;
    }
    this.#waiting.leave(client);
    if (client.readyState !== client.OPEN) {
      throw new AppError("unauthorized", "the socket closed before its token was looked at");
    }
    client.once("close", this.#socketsOpen.take(identity.tokenId));
    accessLog.socketOpened(request, identity);
    client.once("close", (code) => accessLog.socketClosed(request, identity, code));
    const token = { id: identity.tokenId, expiresAtMs: identity.expiresAtMs };
    const close = () => closeUnauthorized(client);
    client.once("close", this.#options.connections.add(token, close));
    const { socket } = request;
    return {
      ...this.#context(request, identity, "socket"),
      identity,
      writable: (signal) => whenWritable(socket, signal),
    };
  }

  #checkFirst(client: WebSocket, data: RawData): void {
    this.#waiting.hear(client);
    if (connectionParams.safeParse(parsed(data)).success) return;
    closeUnauthorized(client);
  }

  #context(request: IncomingMessage, caller: Caller | null, way: "http" | "socket") {
    const { runtime, accounts, tickets, system, addressOf, accessLog } = this.#options;
    const noteCall = (note: CallNote) => accessLog.called(request, caller, way, note);
    const holdSubscription = (tokenId: string) => this.#subscriptionsOpen.take(tokenId);
    const address = addressOf(request);
    return { runtime, accounts, exports: tickets, system, address, holdSubscription, noteCall };
  }

  #identify(request: IncomingMessage, secret: string | null) {
    return this.#options.callers.identify(secret, request.headers.origin);
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
