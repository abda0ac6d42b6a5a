/**
 * Calls over a WebSocket of their own, each sent at once. tRPC's link waits for a timer before it
 * sends, to gather a batch, and a prompt pays no wait that it need not.
 */
import type { AppRouter } from "@signalbox/api";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { SignalboxConnectionError, UNAUTHORIZED_CLOSE, unauthorizedClose } from "./errors.ts";

const PING_INTERVAL_MS = 15_000;
const PONG_TIMEOUT_MS = 10_000;

export interface CallSocketOptions {
  /** The socket's address, without a query. */
  url: string;
  token: string;
  WebSocket: typeof WebSocket;
  /** An unused socket is closed after this time, in milliseconds. */
  idleMs: number;
}

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Answer {
  id?: unknown;
  result?: { data?: unknown };
  error?: { message?: unknown; code?: unknown; data?: unknown };
}

/** One connection from its opening to its close, and the calls that wait on it. */
class Connection {
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;
  readonly #calls = new Map<number, Call>();
  readonly #onIdle: () => void;
  #lastId = 0;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #pongTimer: ReturnType<typeof setTimeout> | undefined;
  isClosed = false;

  constructor(options: CallSocketOptions, onIdle: () => void) {
    this.#onIdle = onIdle;
    this.#socket = new options.WebSocket(`${options.url}?connectionParams=1`);
    this.#socket.addEventListener("message", ({ data }) => this.#onMessage(String(data)));
    this.#socket.addEventListener("close", ({ code }) => this.#onClose(code));
    // The close that follows says all there is to say.
    this.#socket.addEventListener("error", () => undefined);
    this.#opened = new Promise((resolve) => {
      this.#socket.addEventListener("open", () => {
        const data = { token: options.token };
        this.#socket.send(JSON.stringify({ method: "connectionParams", data }));
        this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS);
        resolve();
      });
    });
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  start(path: string, input: unknown, call: Call): () => void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#calls.set(id, call);
    const message = { id, jsonrpc: "2.0", method: "mutation", params: { path, input } };
    const send = () => {
      if (this.#calls.has(id)) this.#socket.send(JSON.stringify(message));
    };
    if (this.#socket.readyState === 1) send();
    else void this.#opened.then(send);
    return () => this.#take(id);
  }

  close(): void {
    this.#socket.close();
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (call && this.isIdle) this.#onIdle();
    return call;
  }

  #onMessage(text: string): void {
    clearTimeout(this.#pongTimer);
    if (text === "PONG" || text === "PING") return;
    const answer = JSON.parse(text) as Answer;
    if (typeof answer.id !== "number") return;
    const call = this.#take(answer.id);
    if (answer.error) call?.reject(TRPCClientError.from(errorOf(answer.error)));
    else call?.resolve(answer.result?.data);
  }

  #onClose(code: number): void {
    this.isClosed = true;
    clearInterval(this.#pingTimer);
    clearTimeout(this.#pongTimer);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.reject(closeError(code));
  }

  /** A server that is gone without a word is noticed by its silence. */
  #ping(): void {
    this.#socket.send("PING");
    clearTimeout(this.#pongTimer);
    this.#pongTimer = setTimeout(() => this.#socket.close(), PONG_TIMEOUT_MS);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function errorOf({ message, code, data }: NonNullable<Answer["error"]>) {
  return {
    error: {
      message: String(message ?? ""),
      code: typeof code === "number" ? code : -32603,
      data: typeof data === "object" && data !== null ? { ...data } : {},
    },
  };
}

function closeError(code: number): Error {
  if (code !== UNAUTHORIZED_CLOSE) {
    return new SignalboxConnectionError(`the socket closed with ${code} before the answer came`);
  }
  return unauthorizedClose();
}

/** Opens a connection when it is needed and closes it when it has been idle. */
export class CallSocket {
  readonly #options: CallSocketOptions;
  #connection: Connection | null = null;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CallSocketOptions) {
    this.#options = options;
  }

  get link(): TRPCLink<AppRouter> {
    return () =>
      ({ op }) =>
        observable((observer) => {
          const fail = (error: Error) => observer.error(TRPCClientError.from(error));
          const onAbort = () => fail(asError(op.signal?.reason));
          op.signal?.addEventListener("abort", onAbort, { once: true });
          const drop = this.#current().start(op.path, op.input, {
            resolve: (data) => {
              observer.next({ result: { type: "data", data } });
              observer.complete();
            },
            reject: fail,
          });
          return () => {
            op.signal?.removeEventListener("abort", onAbort);
            drop();
          };
        });
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    this.#connection?.close();
    this.#connection = null;
  }

  #current(): Connection {
    clearTimeout(this.#idleTimer);
    if (this.#connection === null || this.#connection.isClosed) {
      this.#connection = new Connection(this.#options, () => this.#waitForIdle());
    }
    return this.#connection;
  }

  #waitForIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.#connection?.isIdle) this.close();
    }, this.#options.idleMs);
  }
}
