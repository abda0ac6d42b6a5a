import { questionActionSchema } from "@signalbox/protocol";
import { z } from "zod";
import { doerOf } from "../context.ts";
import { router, scoped } from "../trpc.ts";

export const questionsRouter = router({
  respond: scoped("A")
    .input(
      z.strictObject({
        sessionId: z.string(),
        requestId: z.string().min(1),
        action: questionActionSchema,
        // What may stand in it says the question's own schema.
        content: z.record(z.string(), z.json()).optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.runtime.respondToQuestion(input, doerOf(ctx))),
  pending: scoped("R")
    .input(
      z.strictObject({ cursor: z.string().optional(), limit: z.number().optional() }).optional(),
    )
    .query(({ ctx, input }) => ctx.runtime.pendingQuestions(input ?? {})),
});
