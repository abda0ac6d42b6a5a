import { z } from "zod";
import { openProcedure, router, scoped } from "../trpc.ts";

const nothing = z.strictObject({}).optional();

export const systemRouter = router({
  health: openProcedure.input(nothing).query(({ ctx }) => ({
    status: ctx.system.status(),
    version: ctx.system.version,
  })),
  info: scoped("R")
    .input(nothing)
    .query(async ({ ctx }) => ({
      version: ctx.system.version,
      status: ctx.system.status(),
      uptimeMs: Date.now() - ctx.system.startedAtMs,
      ...(await ctx.runtime.info()),
    })),
});
