import type { AppRouter } from "@signalbox/api";
import {
  createTRPCClientProxy,
  createWSClient,
  httpLink,
  splitLink,
  type TRPCClient,
  type TRPCRequestOptions,
  TRPCUntypedClient,
  wsLink,
} from "@trpc/client";
import { CallSocket } from "./call-socket.ts";
import { SignalboxConnectionError, toSignalboxError, UNAUTHORIZED_CLOSE } from "./errors.ts";
import { LinkedSignal } from "./linked-signal.ts";
import { backoffMs } from "./retry.ts";

export type SignalboxApi = TRPCClient<AppRouter>;

/** An unused socket is closed after this time, so that plain calls do not hold one. */
const IDLE_SOCKET_MS = 10_000;
const PING_INTERVAL_MS = 15_000;
const PONG_TIMEOUT_MS = 10_000;

export interface Transport {
  api: SignalboxApi;
  /**
   * Calls `onRefused` when the server closes the subscriptions' socket for want of a valid token.
   * tRPC tells it only to a subscription that was sent before the close came, and a server that
   * refuses is often quicker than that.
   *
   * @returns a function that ends the watch
   */
  watchRefusal(onRefused: () => void): () => void;
  /** Ends the socket and every call that is still waiting. */
  close(): Promise<void>;
}

export interface TransportOptions {
  /** The server's origin, such as `http://127.0.0.1:4170`. */
  url: string;
  token: string;
  WebSocket: typeof WebSocket;
}

type TrpcRequestInit = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/** Something between us and the server may answer in its place, and not in JSON. */
async function fetchJson(url: URL | string, init?: TrpcRequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: init?.signal ?? null });
  if (response.headers.get("content-type")?.includes("json")) return response;
  await response.body?.cancel();
  throw new SignalboxConnectionError(
    `the answer with status ${response.status} is not one of Signalbox`,
    { httpStatus: response.status },
  );
}

/** Calls fail with our errors, or with the reason of the signal that ended them. */
class CallingClient extends TRPCUntypedClient<AppRouter> {
  readonly #closed: AbortSignal;

  constructor(
    options: ConstructorParameters<typeof TRPCUntypedClient<AppRouter>>[0],
    closed: AbortSignal,
  ) {
    super(options);
    this.#closed = closed;
  }

  override query(path: string, input?: unknown, options?: TRPCRequestOptions) {
    return this.#call(options, (bounded) => super.query(path, input, bounded));
  }

  override mutation(path: string, input?: unknown, options?: TRPCRequestOptions) {
    return this.#call(options, (bounded) => super.mutation(path, input, bounded));
  }

  async #call(
    options: TRPCRequestOptions | undefined,
    send: (options: TRPCRequestOptions) => Promise<unknown>,
  ): Promise<unknown> {
    using ends = new LinkedSignal(options?.signal, this.#closed);
    const { signal } = ends;
    signal.throwIfAborted();
    try {
      return await send({ ...options, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw toSignalboxError(error);
    }
  }
}

/**
 * HTTP for everything that ends soon, WebSockets for what does not: a turn outlives the time that
 * proxies and HTTP clients grant an answer. Calls are not batched, because a batch answers
 * when its slowest member does.
 */
export function openTransport(options: TransportOptions, closed: AbortSignal): Transport {
  const endpoint = new URL("/trpc", options.url);
  const socketUrl = new URL(endpoint);
  socketUrl.protocol = endpoint.protocol === "https:" ? "wss:" : "ws:";
  const refusalWatchers = new Set<() => void>();
  const socket = createWSClient({
    url: socketUrl.href,
    WebSocket: options.WebSocket,
    connectionParams: () => ({ token: options.token }),
    lazy: { enabled: true, closeMs: IDLE_SOCKET_MS },
    keepAlive: { enabled: true, intervalMs: PING_INTERVAL_MS, pongTimeoutMs: PONG_TIMEOUT_MS },
    retryDelayMs: backoffMs,
    onClose: (cause) => {
      if (cause?.code !== UNAUTHORIZED_CLOSE) return;
      for (const onRefused of [...refusalWatchers]) onRefused();
    },
  });
  const calls = new CallSocket({
    url: socketUrl.href,
    token: options.token,
    WebSocket: options.WebSocket,
    idleMs: IDLE_SOCKET_MS,
  });
  const http = httpLink<AppRouter>({
    url: endpoint.href,
    headers: { authorization: `Bearer ${options.token}` },
    fetch: fetchJson,
  });
  const client = new CallingClient(
    {
      links: [
        splitLink({
          condition: ({ type }) => type === "subscription",
          true: wsLink<AppRouter>({ client: socket }),
          false: splitLink({
            condition: ({ path }) => path === "sessions.prompt",
            true: calls.link,
            false: http,
          }),
        }),
      ],
    },
    closed,
  );
  return {
    api: createTRPCClientProxy<AppRouter>(client),
    watchRefusal: (onRefused) => {
      refusalWatchers.add(onRefused);
      return () => refusalWatchers.delete(onRefused);
    },
    close: async () => {
      calls.close();
      await socket.close();
    },
  };
}
