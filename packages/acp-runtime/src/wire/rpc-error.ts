import type { JsonValue } from "@signalbox/protocol";

/** JSON-RPC codes that this runtime sends or branches on. */
export const RPC_CODE = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  notFound: -32002,
} as const;

/** The agent answered one of our requests with a JSON-RPC error. Its text is agent output: untrusted. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly rpcCode: number;
  readonly rpcMessage: string;
  /** Null when the agent gave none. */
  readonly rpcData: JsonValue;

  constructor(method: string, error: { code: number; message: string; data: JsonValue }) {
    super(`${method} was answered with JSON-RPC error ${error.code}: ${error.message}`);
    this.method = method;
    this.rpcCode = error.code;
    this.rpcMessage = error.message;
    this.rpcData = error.data;
  }
}

/**
 * The wire ended before an answer came. Says nothing about why the agent is gone: ask the
 * transport, after stopping it, since an agent may close its pipes and live on.
 */
export class WireClosedError extends Error {
  override readonly name = "WireClosedError";

  /** @param cause why the wire was closed, or null when the agent's output just ended */
  constructor(message: string, cause: Error | null) {
    super(message, cause === null ? undefined : { cause });
  }
}
