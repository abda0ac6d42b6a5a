import { z } from "zod";
import { doerOf } from "../context.ts";
import { router, scoped } from "../trpc.ts";

export const permissionsRouter = router({
  respond: scoped("A")
    .input(
      z.strictObject({
        sessionId: z.string(),
        requestId: z.string().min(1),
        optionId: z.string(),
        digest: z.string().optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.runtime.respondToPermission(input, doerOf(ctx))),
  pending: scoped("R")
    .input(
      z.strictObject({ cursor: z.string().optional(), limit: z.number().optional() }).optional(),
    )
    .query(({ ctx, input }) => ctx.runtime.pendingPermissions(input ?? {})),
});
