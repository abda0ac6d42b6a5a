import { type ErrorCode, isErrorCode, isJsonObject } from "@signalbox/protocol";

/** A failed call as the console shows it. */
export interface Failure {
  /** null when no answer came: the network, or a proxy's page instead of the API. */
  appCode: ErrorCode | null;
  message: string;
  details: Readonly<Record<string, unknown>> | null;
  retryable: boolean;
  httpStatus: number | null;
  /** The input field that the failure is about, when the server names one. */
  field: string | null;
}

/** Reads what the server said out of anything that was thrown. */
export function failureOf(error: unknown): Failure {
  const data = isJsonObject(error) || error instanceof Error ? dataOf(error) : null;
  if (data === null || !isErrorCode(data.appCode)) {
    return {
      appCode: null,
      message: unansweredMessage(error),
      details: null,
      retryable: true,
      httpStatus: null,
      field: null,
    };
  }
  const details = isJsonObject(data.details) ? data.details : null;
  return {
    appCode: data.appCode,
    message: messageOf(error),
    details,
    retryable: data.retryable === true,
    httpStatus: typeof data.httpStatus === "number" ? data.httpStatus : null,
    field: typeof details?.field === "string" ? details.field : null,
  };
}

function dataOf(error: object): Record<string, unknown> | null {
  const data: unknown = Reflect.get(error, "data");
  return isJsonObject(data) ? data : null;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (isJsonObject(error) && typeof error.message === "string") return error.message;
  return String(error);
}

function unansweredMessage(error: unknown): string {
  const message = messageOf(error);
  // What browsers say when a request got no answer names neither the server nor a next step.
  const isNetwork = /failed to fetch|networkerror|load failed|network error/i.test(message);
  const isForeign = /JSON|Unexpected token|Unexpected end/i.test(message);
  return isNetwork || isForeign ? "The Signalbox server did not answer." : message;
}
