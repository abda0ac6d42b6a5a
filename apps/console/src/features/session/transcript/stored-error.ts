import type { JsonValue, StoredError } from "@signalbox/protocol";
import { asObject, asText } from "../content/json-read.ts";

/** Reads the error of a failed turn. A code newer than this page is kept as it stands. */
export function asStoredError(value: JsonValue | undefined): StoredError | null {
  const error = asObject(value);
  const code = asText(error?.code);
  if (!error || code === null) return null;
  return {
    // The set of codes is the server's; an unknown one is shown by its message alone.
    code: code as StoredError["code"],
    message: asText(error.message) ?? code,
    details: asObject(error.details),
    retryable: error.retryable === true,
  };
}
