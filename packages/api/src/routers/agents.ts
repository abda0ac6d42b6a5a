import { z } from "zod";
import { doerOf } from "../context.ts";
import { router, scoped } from "../trpc.ts";

export const agentsRouter = router({
  list: scoped("R")
    .input(z.strictObject({}).optional())
    .query(({ ctx }) => ctx.runtime.listAgents()),
  check: scoped("X")
    .input(z.strictObject({ agent: z.string().min(1) }))
    .mutation(({ ctx, input }) => ctx.runtime.checkAgent(input.agent, doerOf(ctx))),
  listSessions: scoped("X")
    .input(
      z.strictObject({
        agent: z.string().min(1),
        cwd: z.string().min(1),
        cursor: z.string().optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.runtime.listAgentSessions(input)),
  authenticate: scoped("X")
    .input(z.strictObject({ agent: z.string().min(1), methodId: z.string().min(1) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.runtime.authenticateAgent(input, doerOf(ctx));
      return null;
    }),
  processes: scoped("R")
    .input(z.strictObject({}).optional())
    .query(({ ctx }) => ctx.runtime.agentProcesses()),
  stderr: scoped("R")
    .input(z.strictObject({ sessionId: z.string() }))
    .query(({ ctx, input }) => ctx.runtime.agentStderr(input.sessionId)),
});
