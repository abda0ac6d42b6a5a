import {
  DEFAULT_SESSION_ID,
  openSessionInputSchema,
  promptInputSchema,
  sessionStatusSchema,
} from "@signalbox/protocol";
import { tracked } from "@trpc/server";
import { z } from "zod";
import { type ApiContext, doerOf, type Identity } from "../context.ts";
import { exact } from "../exact-json.ts";
import { router, scoped } from "../trpc.ts";

const sessionId = z.string().optional();
const oneSession = z.strictObject({ sessionId }).optional();

const DEFAULT_AWAIT_MS = 60_000;
const MAX_AWAIT_MS = 240_000;

function idOf(input: { sessionId?: string | undefined } | undefined): string {
  return input?.sessionId ?? DEFAULT_SESSION_ID;
}

function callerOf(ctx: ApiContext & { identity: Identity }) {
  return {
    ...doerOf(ctx),
    isAdmin: ctx.identity.scopes.includes("X"),
  };
}

const lifecycle = {
  open: scoped("P")
    .input(openSessionInputSchema)
    .mutation(async ({ ctx, input }) => {
      await ctx.runtime.openSession({ ...input, sessionId: idOf(input) }, callerOf(ctx));
      return null;
    }),
  rotateEnv: scoped("P")
    .input(z.strictObject({ sessionId, env: z.record(z.string(), z.string()) }))
    .mutation(async ({ ctx, input }) => {
      const change = { sessionId: idOf(input), env: input.env };
      await ctx.runtime.rotateEnv(change, callerOf(ctx));
      return null;
    }),
  unload: scoped("P")
    .input(oneSession)
    .mutation(async ({ ctx, input }) => {
      await ctx.runtime.unloadSession(idOf(input), callerOf(ctx));
      return null;
    }),
  delete: scoped("X")
    .input(oneSession)
    .mutation(async ({ ctx, input }) => {
      await ctx.runtime.deleteSession(idOf(input), callerOf(ctx));
      return null;
    }),
};

const stored = {
  get: scoped("R")
    .input(oneSession)
    .query(({ ctx, input }) => ctx.runtime.getSession(idOf(input))),
  list: scoped("R")
    .input(
      z
        .strictObject({
          cursor: z.string().optional(),
          limit: z.number().optional(),
          agent: z.string().optional(),
          status: sessionStatusSchema.optional(),
          search: z.string().optional(),
        })
        .optional(),
    )
    .query(({ ctx, input }) => ctx.runtime.listSessions(input ?? {})),
  history: scoped("R")
    .input(
      z
        .strictObject({
          sessionId,
          before: z.number().optional(),
          after: z.number().optional(),
          limit: z.number().optional(),
          types: z.array(z.string()).optional(),
        })
        .optional(),
    )
    .query(async ({ ctx, input }) => {
      const page = await ctx.runtime.history({ ...input, sessionId: idOf(input) });
      return { ...page, events: page.events.map(exact) };
    }),
  search: scoped("R")
    .input(
      z.strictObject({
        query: z.string(),
        sessionId: z.string().optional(),
        cursor: z.string().optional(),
        limit: z.number().optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.runtime.search(input)),
  export: scoped("R")
    .input(z.strictObject({ sessionId, format: z.enum(["jsonl", "markdown"]) }))
    .mutation(async ({ ctx, input }) => {
      const { sessionId: id } = await ctx.runtime.getSession(idOf(input));
      return ctx.exports.issue({ sessionId: id, format: input.format }, ctx.identity.secret);
    }),
  config: scoped("R")
    .input(oneSession)
    .query(({ ctx, input }) => ctx.runtime.sessionConfig(idOf(input))),
  capabilities: scoped("R")
    .input(oneSession)
    .query(({ ctx, input }) => ctx.runtime.sessionCapabilities(idOf(input))),
  agentInfo: scoped("R")
    .input(oneSession)
    .query(({ ctx, input }) => ctx.runtime.sessionAgentInfo(idOf(input))),
};

const turns = {
  prompt: scoped("P")
    .input(promptInputSchema)
    .mutation(async ({ ctx, input, signal }) => {
      const prompt = { ...input, sessionId: idOf(input) };
      const { promptId } = await ctx.runtime.submitPrompt(prompt, callerOf(ctx));
      const target = { sessionId: prompt.sessionId, promptId };
      return ctx.runtime.promptResult(target, signal ?? new AbortController().signal);
    }),
  submitPrompt: scoped("P")
    .input(promptInputSchema)
    .mutation(({ ctx, input }) =>
      ctx.runtime.submitPrompt({ ...input, sessionId: idOf(input) }, callerOf(ctx)),
    ),
  awaitPrompt: scoped("R")
    .input(
      z.strictObject({
        sessionId,
        promptId: z.string().min(1),
        waitMs: z.number().int().min(0).max(MAX_AWAIT_MS).optional(),
      }),
    )
    .mutation(({ ctx, input, signal }) =>
      ctx.runtime.awaitPrompt(
        { sessionId: idOf(input), promptId: input.promptId },
        input.waitMs ?? DEFAULT_AWAIT_MS,
        signal ?? new AbortController().signal,
      ),
    ),
  cancelPrompt: scoped("P")
    .input(
      z
        .strictObject({
          sessionId,
          promptId: z.string().min(1).optional(),
          wait: z.boolean().optional(),
        })
        .optional(),
    )
    .mutation(({ ctx, input, signal }) =>
      ctx.runtime.cancelPrompt(
        { sessionId: idOf(input), promptId: input?.promptId, wait: input?.wait ?? false },
        callerOf(ctx),
        signal ?? new AbortController().signal,
      ),
    ),
  setConfigOption: scoped("P")
    .input(
      z.strictObject({
        sessionId,
        configId: z.string().min(1),
        // Any value that is there: what is none of the two has a code of its own.
        value: z.custom<string | boolean>((value) => value !== undefined, "is missing"),
      }),
    )
    .mutation(({ ctx, input, signal }) =>
      ctx.runtime.setConfigOption(
        { ...input, sessionId: idOf(input) },
        callerOf(ctx),
        signal ?? new AbortController().signal,
      ),
    ),
};

const live = {
  events: scoped("R")
    .input(
      z
        .strictObject({
          sessionId,
          after: z.number().optional(),
          lastEventId: z.string().nullish(),
        })
        .optional(),
    )
    .subscription(async function* ({ ctx, input, signal }) {
      const ends = signal ?? new AbortController().signal;
      const from = {
        sessionId: idOf(input),
        after: input?.after,
        lastEventId: input?.lastEventId ?? null,
      };
      const release = ctx.holdSubscription(ctx.identity.tokenId);
      try {
        for await (const item of ctx.runtime.followSession(from, ends)) {
          yield tracked(item.cursor, exact(item.event));
          await ctx.writable(ends);
        }
      } finally {
        release();
      }
    }),
};

export const sessionsRouter = router({ ...lifecycle, ...stored, ...turns, ...live });
