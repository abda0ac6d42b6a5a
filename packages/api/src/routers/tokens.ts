import { scopeSchema } from "@signalbox/protocol";
import { z } from "zod";
import { doerOf } from "../context.ts";
import { router, scoped } from "../trpc.ts";

const MAX_NAME_CHARACTERS = 100;
const nothing = z.strictObject({}).optional();
const byId = z.strictObject({ id: z.string().min(1).max(100) });

const name = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "name must not contain control characters")
  .refine((text) => text.trim() !== "", "name must have a visible character");

export const tokensRouter = router({
  create: scoped("X")
    .input(
      z.strictObject({
        name,
        scopes: z.array(scopeSchema).min(1),
        expiresAt: z.iso.datetime({ offset: true }).optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.accounts.createToken(input, doerOf(ctx))),
  list: scoped("X")
    .input(nothing)
    .query(({ ctx }) => ctx.accounts.tokens()),
  revoke: scoped("X")
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await ctx.accounts.revoke({ ...input, kind: "token" }, doerOf(ctx));
      return null;
    }),
});

export const loginsRouter = router({
  createLink: scoped("X")
    .input(nothing)
    .mutation(({ ctx }) => ctx.accounts.createLoginLink(doerOf(ctx))),
  list: scoped("X")
    .input(nothing)
    .query(({ ctx }) => ctx.accounts.logins()),
  revoke: scoped("X")
    .input(byId)
    .mutation(async ({ ctx, input }) => {
      await ctx.accounts.revoke({ ...input, kind: "login" }, doerOf(ctx));
      return null;
    }),
});
