import type { FleetEvent, PromptResult, SessionEvent } from "@signalbox/protocol";
import { WebSocket as NodeWebSocket } from "ws";
import { SignalboxConnectionError } from "./errors.ts";
import type { Followed } from "./follow.ts";
import { type FollowFleetInput, followFleet } from "./follow-fleet.ts";
import { type FollowSessionInput, followSession } from "./follow-session.ts";
import { LinkedSignal } from "./linked-signal.ts";
import { type PromptRequest, prompt } from "./prompt.ts";
import { openTransport, type SignalboxApi, type Transport } from "./transport.ts";

const DEFAULT_MAX_OUTAGE_MS = 5 * 60_000;
const DEFAULT_MAX_BUFFERED_ITEMS = 1_000;

export interface ConnectOptions {
  /** The server's origin, such as `http://127.0.0.1:4170`. */
  url: string;
  token: string;
  /** Omitted: that of the `ws` package, since Node 20 has none of its own. */
  WebSocket?: typeof WebSocket;
  /** How long `prompt` bears a server that does not answer, in milliseconds. Default: 5 minutes. */
  maxOutageMs?: number;
  /** How many unread items a follower holds before it lets the server wait. Default: 1,000. */
  maxBufferedItems?: number;
}

interface Waiting {
  signal?: AbortSignal;
}

/**
 * One server, as another service sees it. Nothing is sent before the first call; call `close`, or
 * declare it with `await using`, to let the socket go.
 */
export class SignalboxClient implements AsyncDisposable {
  /** Every procedure, typed. Calls fail with `SignalboxError` or `SignalboxConnectionError`. */
  readonly api: SignalboxApi;
  readonly #transport: Transport;
  readonly #closed = new AbortController();
  readonly #maxOutageMs: number;
  readonly #maxBufferedItems: number;

  constructor(options: ConnectOptions) {
    const { url, token, WebSocket = nodeWebSocket() } = options;
    this.#transport = openTransport({ url, token, WebSocket }, this.#closed.signal);
    this.api = this.#transport.api;
    this.#maxOutageMs = options.maxOutageMs ?? DEFAULT_MAX_OUTAGE_MS;
    this.#maxBufferedItems = options.maxBufferedItems ?? DEFAULT_MAX_BUFFERED_ITEMS;
  }

  /**
   * Everything that happens in one session, each item once and in order, across lost connections
   * and restarts of the server. Without `after` and `lastEventId` it begins now, with the open
   * message from its start. Ends without an error when the signal is aborted.
   *
   * @throws SignalboxError `session_not_found` (also when it is deleted while followed),
   *   `history_cursor_expired`, `history_cursor_ahead`, `invalid_history_cursor`,
   *   `unauthorized` or `forbidden`
   */
  async *followSession(
    options: FollowSessionInput & Waiting = {},
  ): AsyncGenerator<Followed<SessionEvent>, void, undefined> {
    using ends = this.#until(options.signal);
    yield* followSession(this.#transport, { ...options, ...this.#following(ends) });
  }

  /** What changes in any session; else like {@link followSession}. */
  async *followFleet(
    options: FollowFleetInput & Waiting = {},
  ): AsyncGenerator<Followed<FleetEvent>, void, undefined> {
    using ends = this.#until(options.signal);
    yield* followFleet(this.#transport, { ...options, ...this.#following(ends) });
  }

  /**
   * Sends a prompt exactly once and resolves with the result of its turn, however often the
   * connection is lost or the server restarts meanwhile.
   *
   * @throws SignalboxError the refusal, or the stored failure of the turn
   * @throws SignalboxConnectionError when the server did not answer for `maxOutageMs`; the turn
   *   may still run, and calling again with the same `idempotencyKey` joins it
   * @throws the signal's reason when it is aborted; an accepted turn goes on
   */
  async prompt(request: PromptRequest): Promise<PromptResult> {
    using ends = this.#until(request.signal);
    const settings = { maxOutageMs: this.#maxOutageMs, ...this.#following(ends) };
    return await prompt(this.#transport, request, settings);
  }

  /** Ends followers cleanly, fails waiting calls with a connection error, closes the socket. */
  async close(): Promise<void> {
    this.#closed.abort(new SignalboxConnectionError("the client was closed"));
    await this.#transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #until(signal: AbortSignal | undefined): LinkedSignal {
    return new LinkedSignal(signal, this.#closed.signal);
  }

  #following(ends: LinkedSignal) {
    return { maxBufferedItems: this.#maxBufferedItems, signal: ends.signal };
  }
}

export function connect(options: ConnectOptions): SignalboxClient {
  return new SignalboxClient(options);
}

function nodeWebSocket(): typeof WebSocket {
  // `ws` has the events and the state constants of the standard class that tRPC reads; its
  // declaration differs in what tRPC does not.
  const standIn: unknown = NodeWebSocket;
  return standIn as typeof WebSocket;
}
