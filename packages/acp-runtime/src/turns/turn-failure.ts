import { AppError, type StoredError } from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import { exitInWords } from "../wire/agent-transport.ts";
import { RpcError, WireClosedError } from "../wire/rpc-error.ts";

/**
 * The cause of a failed turn, as its last event tells it. `details.delivery` says whether the
 * agent can have seen the prompt: `never` means that it is safe to send it again.
 */
export async function turnFailure(
  cause: unknown,
  wasDispatched: boolean,
  adapter: Adapter | null,
): Promise<StoredError> {
  const delivery = wasDispatched ? "uncertain" : "never";
  const error = await asAppError(cause, adapter);
  return { ...error.toStored(), details: { ...error.details, delivery } };
}

async function asAppError(cause: unknown, adapter: Adapter | null): Promise<AppError> {
  if (cause instanceof AppError) return cause;
  if (cause instanceof RpcError) {
    const { method, rpcCode, rpcMessage, rpcData } = cause;
    return new AppError("prompt_failed", `the agent answered with an error: ${rpcMessage}`, {
      details: { method, rpcCode, rpcMessage, rpcData },
    });
  }
  if (cause instanceof WireClosedError) return exitOf(cause, adapter);
  return new AppError("internal", "internal error");
}

/** Pipe and process die in either order; what is reported is the exit. */
async function exitOf(cause: WireClosedError, adapter: Adapter | null): Promise<AppError> {
  if (cause.cause instanceof AppError) return cause.cause;
  const end = (await adapter?.ended) ?? { code: null, signal: null, stderrTail: "" };
  const { code: exitCode, signal, stderrTail } = end;
  return new AppError("adapter_exited", `the agent exited during the turn (${exitInWords(end)})`, {
    details: { exitCode, signal, stderrTail },
  });
}
