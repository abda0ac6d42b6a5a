import { z } from "zod";
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
    .mutation(({ ctx, input }) =>
      ctx.runtime.respondToPermission(input, { actor: ctx.identity.actor, address: ctx.address }),
    ),
  pending: scoped("R")
    .input(
      z.strictObject({ cursor: z.string().optional(), limit: z.number().optional() }).optional(),
    )
    .query(({ ctx, input }) => ctx.runtime.pendingPermissions(input ?? {})),
});
