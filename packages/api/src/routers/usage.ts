import { usageQuerySchema } from "@signalbox/protocol";
import { router, scoped } from "../trpc.ts";

export const usageRouter = router({
  summary: scoped("R")
    .input(usageQuerySchema)
    .query(({ ctx, input }) => ctx.runtime.usageSummary(input)),
});
