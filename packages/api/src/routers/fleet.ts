import { tracked } from "@trpc/server";
import { z } from "zod";
import { router, scoped } from "../trpc.ts";

export const fleetRouter = router({
  events: scoped("R")
    .input(z.strictObject({ lastEventId: z.string().nullish() }).optional())
    .subscription(async function* ({ ctx, input, signal }) {
      const ends = signal ?? new AbortController().signal;
      const lastEventId = input?.lastEventId ?? null;
      const release = ctx.holdSubscription(ctx.identity.tokenId);
      try {
        for await (const item of ctx.runtime.followFleet({ lastEventId }, ends)) {
          yield tracked(item.cursor, item.event);
          await ctx.writable(ends);
        }
      } finally {
        release();
      }
    }),
});
