/**
 * Every failure a caller may branch on. The set is closed: a new code does not compile
 * until it has an HTTP status here, and every edge maps from this one table.
 */
const HTTP_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  rate_limited: 429,
  invalid_session_id: 400,
  invalid_cwd: 400,
  cwd_missing: 400,
  unknown_agent: 404,
  invalid_env: 400,
  invalid_mcp_server: 400,
  session_not_found: 404,
  session_conflict: 409,
  session_busy: 409,
  sessions_limit: 429,
  invalid_content_block: 400,
  unsupported_content: 400,
  prompt_too_large: 413,
  invalid_idempotency_key: 400,
  idempotency_conflict: 409,
  prompt_not_found: 404,
  prompt_not_delivered: 502,
  prompt_delivery_uncertain: 502,
  prompt_failed: 502,
  invalid_stop_reason: 502,
  adapter_spawn_failed: 502,
  adapter_timeout: 502,
  adapter_exited: 502,
  adapter_protocol_error: 502,
  adapter_incompatible: 422,
  auth_required: 422,
  restore_failed: 502,
  adopt_failed: 502,
  invalid_history_cursor: 400,
  history_limit: 400,
  history_cursor_expired: 409,
  history_cursor_ahead: 409,
  invalid_list_cursor: 400,
  list_limit: 400,
  invalid_permission_option: 400,
  permission_changed: 409,
  permission_policy_unsatisfied: 400,
  invalid_answer: 400,
  invalid_config_value: 400,
  config_rejected: 422,
  limit_exceeded: 429,
  storage_full: 503,
  storage_busy: 503,
  storage_corrupt: 503,
  database_in_use: 503,
  schema_newer: 503,
  server_draining: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS;

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What a failed call carries as `error.data`, the same over HTTP and WebSocket. */
export interface ErrorData {
  appCode: ErrorCode;
  details: ErrorDetails | null;
  retryable: boolean;
  httpStatus: number;
}

/** A stored failure, as it stands in `turn_ended.error` and in `SessionState`. */
export interface StoredError {
  code: ErrorCode;
  message: string;
  details: ErrorDetails | null;
  retryable: boolean;
}

/** Codes after which the same call may simply be made again. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "rate_limited",
  "prompt_not_delivered",
  "storage_busy",
  "server_draining",
]);

/** An expected failure. Bugs are plain `Error`s; cancellation is a result. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** Safe to show: ids, limits and facts, never secrets, stacks or SQL. */
  readonly details: ErrorDetails | null;
  readonly retryable: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetails | null; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
  }

  toData(): ErrorData {
    return {
      appCode: this.code,
      details: this.details,
      retryable: this.retryable,
      httpStatus: HTTP_STATUS[this.code],
    };
  }

  toStored(): StoredError {
    return {
      code: this.code,
      message: this.message,
      details: this.details,
      retryable: this.retryable,
    };
  }

  static fromStored(error: StoredError): AppError {
    return new AppError(error.code, error.message, {
      details: error.details,
      retryable: error.retryable,
    });
  }
}

export function httpStatusOf(code: ErrorCode): number {
  return HTTP_STATUS[code];
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(HTTP_STATUS, value);
}

/** The refusal of a value over a limit; names the field an operator would raise. */
export function limitError(
  code: ErrorCode,
  message: string,
  limit: { limit: string; max: number; actual: number },
): AppError {
  return new AppError(code, message, { details: limit });
}
