import type { JsonObject, JsonValue } from "@signalbox/protocol";

/** A `session/update` as it came, kinds and fields this build does not know included. */
export interface WireUpdate {
  readonly agentSessionId: string;
  /** Its `sessionUpdate` is a string; nothing else was checked. */
  readonly update: JsonObject;
  /** The exact source text of `params.update`. */
  readonly raw: string;
}

export interface WireRequest {
  /** The exact JSON text of the agent's id, so that every id is echoed as it came. */
  readonly id: string;
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly rawLine: string;
}

export interface WireNoise {
  /** `truncated`: the output ended within a line. `response`: nobody waits for this answer. */
  readonly kind: "text" | "malformed" | "response" | "truncated";
  /** The line, cut to 4,096 characters. */
  readonly text: string;
}

/** All are called synchronously and in wire order. One that throws closes the wire, except `onRequest`. */
export interface WireHandlers {
  onUpdate(update: WireUpdate): void;
  onNotification(method: string, params: JsonValue | undefined): void;
  /**
   * Answers through {@link Wire.respond} or {@link Wire.respondError}, now or later. When it
   * throws or rejects, the agent gets -32603 without the reason, which goes to `onHandlerError`.
   */
  onRequest(request: WireRequest): void | Promise<void>;
  onNoise(noise: WireNoise): void;
  /** A bug in `onRequest`. */
  onHandlerError(error: unknown, method: string): void;
}

export interface WireOptions {
  /** One line from the agent may hold this many bytes; over it the wire closes with `limit_exceeded`. */
  readonly maxLineBytes: number;
}

export interface RequestOptions {
  /** Aborting it stops the waiting, with the signal's reason; the agent is not told. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** The configuration path that a time-out names, e.g. `limits.acp.startTimeoutMs`. */
  readonly timeoutLimit?: string;
  /** What that path allows, where this request has only the rest of it; else `timeoutMs`. */
  readonly timeoutMaxMs?: number;
  /**
   * Called at the answer's place on the wire, before any later line is handled; the promise
   * settles some time after. What must not mix with later output belongs here.
   */
  readonly onAnswer?: () => void;
}

export interface Wire {
  /**
   * @throws RpcError when the agent answers with an error
   * @throws AppError `adapter_timeout` with details `{phase: method, limit, max}`;
   *   `adapter_protocol_error` when the answer has neither result nor error
   * @throws WireClosedError when the wire ends first or the line could not be written
   */
  request(
    method: string,
    params: JsonValue | undefined,
    options: RequestOptions,
  ): Promise<JsonValue>;
  /** Queued behind what is waiting. A line that cannot be written any more is dropped. */
  notify(method: string, params: JsonValue | undefined): void;
  /** Ahead of everything that is queued and not yet being written; for `session/cancel`. */
  notifyUrgent(method: string, params: JsonValue | undefined): void;
  /** Answers a request of the agent once; a second answer to the same request is ignored. */
  respond(id: string, result: JsonValue): void;
  respondError(id: string, code: number, message: string): void;
  /** Stops reading the pipe. At most what was already read (about 64 KiB) is still handed over. */
  pause(): void;
  resume(): void;
  /** Lines that could not be used so far. */
  readonly noiseCount: number;
  /** Why the wire closed; null while open and when the agent's output just ended. */
  readonly closeReason: Error | null;
  /** Resolves when the wire is closed, after everything readable was handed over. Never rejects. */
  readonly closed: Promise<void>;
  /** Rejects all that wait and destroys the agent's stdout; the agent itself is the caller's to stop. */
  close(error?: Error): void;
}
