import { AppError, type Scope } from "@signalbox/protocol";
import { initTRPC, type TRPCError } from "@trpc/server";
import type { ApiContext, Identity } from "./context.ts";
import { expectedCauseOf, toAppError, toTrpcError } from "./error-map.ts";

const t = initTRPC.context<ApiContext>().create({
  errorFormatter: ({ shape, error, ctx }) => {
    const shown = toAppError(error, ctx);
    return { ...shape, message: shown.message, data: shown.toData() };
  },
});

export const router = t.router;

/** Gives an expected failure the HTTP status of its code; bugs stay as they are and are logged. */
function translated<T extends { ok: true } | { ok: false; error: TRPCError }>(result: T): T {
  if (result.ok) return result;
  const expected = expectedCauseOf(result.error);
  if (expected) throw toTrpcError(expected);
  return result;
}

const noted = t.procedure.use(async ({ ctx, path, type, next }) => {
  const startedAtMs = performance.now();
  const result = await next();
  const outcome = result.ok ? "ok" : toAppError(result.error, ctx).code;
  ctx.noteCall({ path, type, outcome, durationMs: performance.now() - startedAtMs });
  return result;
});

/** Needs no token. Only for what tells nothing. */
export const openProcedure = t.procedure.use(async ({ next }) => translated(await next()));

/**
 * A procedure that needs every scope named. The check comes before the input is parsed.
 *
 * @throws AppError `unauthorized` without a valid token, `forbidden` without the scopes
 */
export function scoped(...scopes: Scope[]) {
  return noted.use(async ({ ctx, next }) => {
    const { identity } = ctx;
    if (!identity) {
      throw toTrpcError(new AppError("unauthorized", "a valid bearer token is required"));
    }
    requireScopes(identity, scopes);
    return translated(await next({ ctx: { identity } }));
  });
}

function requireScopes(identity: Identity, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !identity.scopes.includes(scope));
  if (missing.length === 0) return;
  throw toTrpcError(
    new AppError("forbidden", `the token lacks scope ${missing.join(", ")}`, {
      details: { required: scopes, missing },
    }),
  );
}
