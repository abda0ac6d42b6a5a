import { AppError, isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";
import { RPC_CODE, RpcError, WireClosedError } from "./rpc-error.ts";
import type { RequestOptions } from "./wire.ts";

interface PendingRequest {
  readonly method: string;
  readonly onAnswer: (() => void) | undefined;
  resolve(result: JsonValue): void;
  reject(error: Error): void;
}

/** Writes one line later. @returns takes the line back if it was not begun yet */
type Send = (text: string, settle: (error: Error | null) => void) => () => void;

/** Our own requests on one wire, from the line that asks to the line that answers. */
export class PendingRequests {
  readonly #send: Send;
  readonly #pending = new Map<number, PendingRequest>();
  /** Requests that nobody waits for any more; a late answer to one is no noise. */
  readonly #abandoned = new Set<number>();
  #lastId = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  start(
    method: string,
    params: JsonValue | undefined,
    options: RequestOptions,
  ): Promise<JsonValue> {
    const { signal, timeoutMs, onAnswer } = options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#lastId += 1;
      const id = this.#lastId;
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const release = (): void => {
        this.#pending.delete(id);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const abandon = (error: unknown): void => {
        release();
        this.#abandoned.add(id);
        withdraw();
        reject(error);
      };
      const onAbort = (): void => abandon(signal.reason);
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => abandon(timeoutError(method, timeoutMs, options)), timeoutMs);
      signal.addEventListener("abort", onAbort, { once: true });
      const settleWith =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          release();
          settle(value);
        };
      const pending: PendingRequest = {
        method,
        onAnswer,
        resolve: settleWith<JsonValue>(resolve),
        reject: settleWith<Error>(reject),
      };
      this.#pending.set(id, pending);
      const withdraw = this.#send(text, (error) => {
        if (error !== null) pending.reject(notWritten(method, error));
      });
    });
  }

  /** @returns false when nobody ever asked for this answer, or it was given before */
  settle(message: JsonObject): boolean {
    const { id, result, error } = message;
    if (typeof id !== "number") return false;
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#abandoned.delete(id);
    try {
      pending.onAnswer?.();
    } finally {
      if (result !== undefined && !isJsonObject(error)) pending.resolve(result);
      else if (isJsonObject(error)) pending.reject(rpcError(pending.method, error));
      else pending.reject(outcomeMissing(pending.method));
    }
    return true;
  }

  /** The wire is closed: no answer can come any more. */
  rejectAll(cause: Error | null): void {
    for (const pending of [...this.#pending.values()]) {
      pending.reject(
        new WireClosedError(`the agent's output ended before it answered ${pending.method}`, cause),
      );
    }
  }
}

function timeoutError(method: string, timeoutMs: number, options: RequestOptions): AppError {
  const max = options.timeoutMaxMs ?? timeoutMs;
  return new AppError("adapter_timeout", `the agent did not answer ${method} within ${max} ms`, {
    details: { phase: method, limit: options.timeoutLimit ?? null, max },
  });
}

function notWritten(method: string, cause: Error): WireClosedError {
  return new WireClosedError(`${method} could not be written to the agent`, cause);
}

function outcomeMissing(method: string): AppError {
  return new AppError(
    "adapter_protocol_error",
    `the agent's answer to ${method} has neither a result nor an error`,
    { details: { method } },
  );
}

function rpcError(method: string, error: JsonObject): RpcError {
  const { code, message, data } = error;
  return new RpcError(method, {
    code: typeof code === "number" ? code : RPC_CODE.internalError,
    message: typeof message === "string" ? message : "no message",
    data: data ?? null,
  });
}
