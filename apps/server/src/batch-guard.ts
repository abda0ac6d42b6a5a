/** A batch is run whole or not at all: too many calls, or one that names nothing, refuse it. */
import { appRouter } from "@signalbox/api";
import { AppError } from "@signalbox/protocol";

export const MAX_BATCH_SIZE = 10;
/** JSON-RPC's code for a bad request, as tRPC writes it. */
export const BAD_REQUEST_RPC = -32600;

const procedures: ReadonlySet<string> = new Set(Object.keys(appRouter._def.procedures));

/** @returns why none of the calls may run, or null */
export function batchRefusal(paths: readonly string[]): AppError | null {
  if (paths.length > MAX_BATCH_SIZE) {
    return new AppError("bad_request", `a batch holds at most ${MAX_BATCH_SIZE} calls`, {
      details: { field: "batch", max: MAX_BATCH_SIZE, actual: paths.length },
    });
  }
  const unknown = paths.find((path) => !procedures.has(path));
  if (unknown === undefined) return null;
  return new AppError("bad_request", `there is no procedure ${JSON.stringify(unknown)}`, {
    details: { field: "path" },
  });
}

/**
 * Reads one frame of a socket for tRPC, which has no limit there. The calls of a refused batch are
 * sent to a procedure that does not exist, so that each gets its answer and none runs.
 */
export function decodeMessages(data: string | ArrayBuffer | Uint8Array): unknown {
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const message: unknown = JSON.parse(text);
  if (!Array.isArray(message)) return message;
  const refusal = batchRefusal(message.flatMap((call) => pathOf(call) ?? []));
  if (!refusal) return message;
  return message.map((call) =>
    pathOf(call) === null ? call : { ...call, params: { ...call.params, path: refusal.message } },
  );
}

function pathOf(call: unknown): string | null {
  if (typeof call !== "object" || call === null || !("params" in call)) return null;
  const { params } = call;
  if (typeof params !== "object" || params === null || !("path" in params)) return null;
  return typeof params.path === "string" ? params.path : null;
}
