/**
 * One running adapter: the wire, what it said of itself, and its end.
 *
 * Updates and requests that come before anyone is attached are kept in order, since agents send
 * them before `session/new` answers.
 */
import {
  AppError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  limitError,
  limitPath,
} from "@signalbox/protocol";
import type { Redaction } from "../output/redaction.ts";
import { isOutsideSessions, QUESTION_CANCELLED } from "../requests/question-request.ts";
import type { AgentExit, AgentTransport } from "../wire/agent-transport.ts";
import { openWire } from "../wire/agent-wire.ts";
import { RPC_CODE, RpcError, WireClosedError } from "../wire/rpc-error.ts";
import type { RequestOptions, Wire, WireRequest, WireUpdate } from "../wire/wire.ts";

export interface AdapterEnd extends AgentExit {
  /** Asked for by us. */
  readonly isExpected: boolean;
  readonly stderrTail: string;
}

/** Called in wire order, synchronously. */
export interface AdapterListener {
  onUpdate(update: WireUpdate): void;
  onPermissionRequest(request: WireRequest): void;
  onQuestion(request: WireRequest): void;
  /** By the agent's own id of it, which may be unknown. */
  onQuestionCompleted(elicitationId: string): void;
  /** The agent takes back a request of its own. */
  onRequestCancelled(requestId: string): void;
  /** After everything the adapter said was handed over and all its processes are gone. */
  onEnd(end: AdapterEnd): void;
}

export interface AdapterOptions {
  readonly maxLineBytes: number;
  readonly stopGraceMs: number;
  readonly redaction: Redaction;
  /** How much may be said before anyone listens, in bytes. */
  readonly maxEarlyBytes: number;
  /** A bug in a handler of ours. */
  readonly onBug: (error: unknown) => void;
}

export class Adapter {
  readonly transport: AgentTransport;
  readonly wire: Wire;
  readonly ended: Promise<AdapterEnd>;
  readonly #options: AdapterOptions;
  #listener: AdapterListener | null = null;
  #early: ((listener: AdapterListener) => void)[] = [];
  #earlyBytes = 0;
  #isExpectedToEnd = false;
  #isEnding = false;
  #hasEnded = false;
  /** While a load replays, updates go here instead of into history. */
  #replay: ((update: WireUpdate) => void) | null = null;
  /** The `initialize` answer. */
  initialized: JsonObject = {};
  /** The adapter's own id of the session; private. */
  agentSessionId = "";

  constructor(transport: AgentTransport, options: AdapterOptions) {
    this.transport = transport;
    this.#options = options;
    this.wire = openWire(
      transport,
      {
        onUpdate: (update) => this.#onUpdate(update),
        onNotification: (method, params) => this.#onNotification(method, params),
        onRequest: (request) => this.#onRequest(request),
        onNoise: () => undefined,
        onHandlerError: (error) => options.onBug(error),
      },
      { maxLineBytes: options.maxLineBytes },
    );
    this.ended = this.#watchEnd();
  }

  /** Whether someone listens: the session has been negotiated. */
  get isAttached(): boolean {
    return this.#listener !== null;
  }

  /** Whether it said anything before anyone listened. */
  get hasEarlyOutput(): boolean {
    return this.#early.length > 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Being stopped, or no longer speaking: nothing new may be asked of it. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  get agentCapabilities(): JsonObject {
    const { agentCapabilities } = this.initialized;
    return isJsonObject(agentCapabilities) ? agentCapabilities : {};
  }

  /** Whether `sessionCapabilities` names this capability; markers are objects or true. */
  offersSession(name: string): boolean {
    const { sessionCapabilities } = this.agentCapabilities;
    const marker = isJsonObject(sessionCapabilities) ? sessionCapabilities[name] : undefined;
    return marker !== undefined && marker !== null && marker !== false;
  }

  /** Hands over what came early, then everything as it comes. */
  attach(listener: AdapterListener): void {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const hand of early) hand(listener);
  }

  /** As {@link Wire.request}; what the agent answers in words comes without secrets. */
  async request(method: string, params: JsonValue, options: RequestOptions): Promise<JsonValue> {
    try {
      return this.redaction.value(await this.wire.request(method, params, options));
    } catch (error) {
      throw error instanceof RpcError ? this.#masked(error) : error;
    }
  }

  get redaction(): Redaction {
    return this.#options.redaction;
  }

  #masked({ method, rpcCode, rpcMessage, rpcData }: RpcError): RpcError {
    return new RpcError(method, {
      code: rpcCode,
      message: this.redaction.text(rpcMessage),
      data: this.redaction.value(rpcData),
    });
  }

  /** As {@link Adapter.request}; until the answer, updates go to `onReplay` only. */
  async requestWithReplay(
    method: string,
    params: JsonValue,
    options: RequestOptions,
    onReplay: (update: WireUpdate) => void,
  ): Promise<JsonValue> {
    this.#replay = onReplay;
    const stopReplay = () => {
      this.#replay = null;
    };
    try {
      return await this.request(method, params, { ...options, onAnswer: stopReplay });
    } finally {
      stopReplay();
    }
  }

  /** The agent is asked at once, ahead of everything that waits to be written. */
  cancelTurn(): void {
    this.wire.notifyUrgent("session/cancel", { sessionId: this.agentSessionId });
  }

  stderrTail(): string {
    return this.redaction.text(this.transport.stderrTail().text);
  }

  /**
   * Ends the adapter in order: `session/close` where offered, end of stdin, SIGTERM, SIGKILL.
   * Nothing that it started survives.
   */
  async stop(options: { graceMs?: number } = {}): Promise<AdapterEnd> {
    const graceMs = options.graceMs ?? this.#options.stopGraceMs;
    this.#isExpectedToEnd = true;
    this.#isEnding = true;
    if (graceMs > 0 && !this.#hasEnded && this.offersSession("close") && this.agentSessionId) {
      await this.#closeSession(graceMs);
    }
    await this.transport.stop({ graceMs });
    return this.ended;
  }

  async #closeSession(graceMs: number): Promise<void> {
    const params = { sessionId: this.agentSessionId };
    const patience = { signal: new AbortController().signal, timeoutMs: Math.ceil(graceMs / 2) };
    try {
      await this.wire.request("session/close", params, patience);
    } catch (error) {
      // Closing is a courtesy: some agents advertise it and refuse, stay silent or leave at once.
      // The process ends either way; anything else is a fault of ours.
      const isAgents =
        error instanceof RpcError || error instanceof WireClosedError || error instanceof AppError;
      if (!isAgents) this.#options.onBug(error);
    }
  }

  async #watchEnd(): Promise<AdapterEnd> {
    await this.wire.closed;
    this.#isEnding = true;
    const graceMs = this.#isExpectedToEnd ? this.#options.stopGraceMs : 0;
    const exit = await this.transport.stop({ graceMs }).catch((error: unknown) => {
      // Something survives even SIGKILL. The session must not wait for it.
      this.#options.onBug(error);
      return { code: null, signal: null };
    });
    this.#hasEnded = true;
    const end = {
      ...exit,
      isExpected: this.#isExpectedToEnd,
      stderrTail: this.stderrTail(),
    };
    this.#deliver((listener) => listener.onEnd(end));
    return end;
  }

  #deliver(hand: (listener: AdapterListener) => void): void {
    if (this.#listener) {
      hand(this.#listener);
      return;
    }
    this.#early.push(hand);
  }

  #onUpdate(update: WireUpdate): void {
    if (this.#replay) this.#replay(update);
    else this.#deliver((listener) => listener.onUpdate(update));
    if (this.#listener === null && !this.#replay) this.#boundEarly(update.raw.length);
  }

  /** An agent that talks without end before it answers is not waited for. */
  #boundEarly(characters: number): void {
    this.#earlyBytes += characters;
    const { maxEarlyBytes: max } = this.#options;
    if (this.#earlyBytes <= max) return;
    this.wire.close(
      limitError("limit_exceeded", `the agent said more than ${max} bytes before its session`, {
        limit: limitPath("maxTurnOutputBytes"),
        max,
        actual: this.#earlyBytes,
      }),
    );
  }

  #onNotification(method: string, params: JsonValue | undefined): void {
    if (!isJsonObject(params)) return;
    const { requestId, elicitationId } = params;
    if (method === "$/cancel_request" && requestId !== undefined) {
      this.#deliver((listener) => listener.onRequestCancelled(JSON.stringify(requestId)));
    } else if (method === "elicitation/complete" && typeof elicitationId === "string") {
      this.#deliver((listener) => listener.onQuestionCompleted(elicitationId));
    }
  }

  #onRequest(request: WireRequest): void {
    if (request.method === "session/request_permission") {
      this.#deliver((listener) => listener.onPermissionRequest(request));
    } else if (request.method !== "elicitation/create") {
      this.wire.respondError(request.id, RPC_CODE.methodNotFound, "Method not found");
    } else if (!this.#listener && isOutsideSessions(request.params)) {
      // Asked during a start, which would wait for an answer that nobody can give yet.
      this.wire.respond(request.id, QUESTION_CANCELLED);
    } else {
      this.#deliver((listener) => listener.onQuestion(request));
    }
  }
}
