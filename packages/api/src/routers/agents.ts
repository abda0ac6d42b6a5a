import { z } from "zod";
import { router, scoped } from "../trpc.ts";

export const agentsRouter = router({
  list: scoped("R")
    .input(z.strictObject({}).optional())
    .query(({ ctx }) => ctx.runtime.listAgents()),
  processes: scoped("R")
    .input(z.strictObject({}).optional())
    .query(({ ctx }) => ctx.runtime.agentProcesses()),
  stderr: scoped("R")
    .input(z.strictObject({ sessionId: z.string() }))
    .query(({ ctx, input }) => ctx.runtime.agentStderr(input.sessionId)),
});
