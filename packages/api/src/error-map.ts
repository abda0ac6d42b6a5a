import { toStorageError } from "@signalbox/db";
import { AppError, httpStatusOf, limitPath } from "@signalbox/protocol";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import type { Identity } from "./context.ts";

/** tRPC's name for each HTTP status that our codes use. */
const TRPC_CODE: Record<number, TRPCError["code"]> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
};

export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({
    code: TRPC_CODE[httpStatusOf(error.code)] ?? "INTERNAL_SERVER_ERROR",
    message: error.message,
    cause: error,
  });
}

function fromZod(error: ZodError): AppError {
  const first = error.issues[0];
  const unknownKey = first?.code === "unrecognized_keys" ? first.keys[0] : undefined;
  const path = [...(first?.path ?? []), ...(unknownKey === undefined ? [] : [unknownKey])];
  const field = path.map(String).join(".") || "input";
  const problem = unknownKey === undefined ? (first?.message ?? "is invalid") : "unknown field";
  return new AppError("bad_request", `${field}: ${problem}`, {
    details: { field, problem },
    cause: error,
  });
}

/** The expected failure that an error is or wraps, storage that fails included; null for a bug. */
export function expectedCauseOf(error: unknown): AppError | null {
  const cause = toStorageError(error instanceof TRPCError ? error.cause : error);
  return cause instanceof AppError ? cause : null;
}

/**
 * What a caller may see of any failure: an expected one as it is, a bad input with the field's
 * name, anything else as `internal` without its text.
 */
export function toAppError(
  error: unknown,
  caller?: { identity: Identity | null } | undefined,
): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) return fromZod(error);
  const expected = expectedCauseOf(error);
  if (expected) return expected;
  if (!(error instanceof TRPCError)) return new AppError("internal", "internal error");
  if (error.cause instanceof ZodError) return fromZod(error.cause);
  if (error.code === "INTERNAL_SERVER_ERROR") return new AppError("internal", "internal error");
  if (error.code === "NOT_FOUND" && caller?.identity === null) {
    return new AppError("unauthorized", "a valid bearer token is required");
  }
  if (error.code === "PAYLOAD_TOO_LARGE") {
    return new AppError("prompt_too_large", "the request's body is too large", {
      details: { limit: limitPath("maxPromptBytes") },
    });
  }
  return new AppError("bad_request", error.message);
}
