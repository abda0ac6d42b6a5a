import { z } from "zod";
import { router, scoped } from "../trpc.ts";

export const auditRouter = router({
  list: scoped("X")
    .input(
      z
        .strictObject({
          sessionId: z.string().optional(),
          cursor: z.string().optional(),
          limit: z.number().optional(),
        })
        .optional(),
    )
    .query(({ ctx, input }) => ctx.accounts.audit(input ?? {})),
});
