import { z } from "zod";
import { router, scoped } from "../trpc.ts";

export const agentsRouter = router({
  list: scoped("R")
    .input(z.strictObject({}).optional())
    .query(({ ctx }) => ctx.runtime.listAgents()),
});
