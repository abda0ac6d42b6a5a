import { type ErrorCode, type ErrorDetails, isErrorCode, isJsonObject } from "@signalbox/protocol";
import { TRPCClientError } from "@trpc/client";

/** The server closes a socket with this code when its token is missing, wrong or revoked. */
export const UNAUTHORIZED_CLOSE = 4401;

/** A failure that the server named. Branch on `code`; the message is for people. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails | null;
  /**
   * The server's own word. On a turn that failed it means that the same content may be sent as
   * a new prompt with a new key; everywhere else, that the same call may be made again.
   */
  readonly retryable: boolean;
  readonly httpStatus: number;

  constructor(
    facts: {
      code: ErrorCode;
      message: string;
      details: ErrorDetails | null;
      retryable: boolean;
      httpStatus: number;
    },
    cause?: unknown,
  ) {
    super(facts.message, cause === undefined ? undefined : { cause });
    this.code = facts.code;
    this.details = facts.details;
    this.retryable = facts.retryable;
    this.httpStatus = facts.httpStatus;
  }
}

/** No answer of the API came back: the call may or may not have been carried out. */
export class SignalboxConnectionError extends Error {
  override readonly name = "SignalboxConnectionError";
  /** The status of an answer that was not the API's own, such as a proxy's; null without one. */
  readonly httpStatus: number | null;

  constructor(message: string, options: { httpStatus?: number | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.httpStatus = options.httpStatus ?? null;
  }
}

/**
 * Turns whatever a tRPC call failed with into one of our two errors, by `error.data` and never by
 * a message. One of ours is returned as it is.
 */
export function toSignalboxError(error: unknown): SignalboxError | SignalboxConnectionError {
  if (isOurs(error)) return error;
  if (isUnauthorizedClose(error)) return unauthorizedClose(error);
  const answer = answerOf(error);
  if (answer) return fromAnswer(answer, error);
  if (error instanceof TRPCClientError && isOurs(error.cause)) return error.cause;
  const reason = error instanceof Error && error.message ? error.message : "the connection failed";
  return new SignalboxConnectionError(reason, { httpStatus: httpStatusOf(error), cause: error });
}

function isOurs(error: unknown): error is SignalboxError | SignalboxConnectionError {
  return error instanceof SignalboxError || error instanceof SignalboxConnectionError;
}

interface Answer {
  message: string;
  data: Record<string, unknown>;
}

/** The error as the server wrote it: from the call's own envelope, or from a plain route's body. */
function answerOf(error: unknown): Answer | null {
  if (!(error instanceof TRPCClientError)) return null;
  if (isRecord(error.data)) return { message: error.message, data: error.data };
  const body = error.meta?.responseJSON;
  const failure = isRecord(body) ? body.error : undefined;
  if (!isRecord(failure) || !isRecord(failure.data)) return null;
  return { message: String(failure.message ?? ""), data: failure.data };
}

function fromAnswer({ message, data }: Answer, cause: unknown): SignalboxError {
  const { appCode, details, retryable, httpStatus } = data;
  const known = isErrorCode(appCode);
  return new SignalboxError(
    {
      // A newer server may know codes that this build does not; none of them is safe to act on.
      code: known ? appCode : "internal",
      message,
      details: known ? detailsOf(details) : { appCode: String(appCode) },
      retryable: retryable === true,
      httpStatus: typeof httpStatus === "number" ? httpStatus : 500,
    },
    cause,
  );
}

function detailsOf(details: unknown): ErrorDetails | null {
  return isJsonObject(details) ? details : null;
}

export function unauthorizedClose(cause?: unknown): SignalboxError {
  return new SignalboxError(
    {
      code: "unauthorized",
      message: "the server closed the socket: a valid token is required",
      details: null,
      retryable: false,
      httpStatus: 401,
    },
    cause,
  );
}

/** Follows the causes, because tRPC wraps the close event once or twice. */
function isUnauthorizedClose(error: unknown): boolean {
  for (let at = error, depth = 0; isRecord(at) && depth < 4; at = at.cause, depth += 1) {
    if (at.code === UNAUTHORIZED_CLOSE) return true;
  }
  return false;
}

function httpStatusOf(error: unknown): number | null {
  if (!(error instanceof TRPCClientError)) return null;
  const response = error.meta?.response;
  if (!isRecord(response)) return null;
  return typeof response.status === "number" ? response.status : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
