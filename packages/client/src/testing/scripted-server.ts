/**
 * A real HTTP and WebSocket server with the few procedures that the client leans on, each played
 * by the test. It can be stopped and started again on its port, like a server that restarts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AppError,
  httpStatusOf,
  type PromptResult,
  type SessionEvent,
  type SubmittedPrompt,
} from "@signalbox/protocol";
import { initTRPC, tracked } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { WebSocketServer } from "ws";
import { z } from "zod";

export interface Script {
  prompt?: (input: Record<string, unknown>) => Promise<PromptResult>;
  submitPrompt?: (input: Record<string, unknown>) => Promise<SubmittedPrompt>;
  awaitPrompt?: (input: Record<string, unknown>) => Promise<PromptResult | { pending: true }>;
  latestSequence?: () => number;
  events?: (
    input: Record<string, unknown>,
    signal: AbortSignal,
  ) => AsyncIterable<{ id: string; event: SessionEvent }>;
  /** Takes an HTTP request before tRPC does; true when it has answered. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Whether a socket may go on; otherwise it is closed with 4401. */
  isWelcome?: (token: string | undefined) => boolean;
  /** Closes every socket with 4401 before it has said anything. */
  refusesSockets?: boolean;
}

const t = initTRPC.context<{ script: Script }>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: error.cause instanceof AppError ? error.cause.toData() : { appCode: "bad_request" },
  }),
});

const anything = z.record(z.string(), z.unknown());

const router = t.router({
  sessions: t.router({
    get: t.procedure
      .input(anything)
      .query(({ ctx }) => ({ latestSequence: ctx.script.latestSequence?.() ?? 0 })),
    prompt: t.procedure
      .input(anything)
      .mutation(({ ctx, input }) => played(ctx.script.prompt)(input)),
    submitPrompt: t.procedure
      .input(anything)
      .mutation(({ ctx, input }) => played(ctx.script.submitPrompt)(input)),
    awaitPrompt: t.procedure
      .input(anything)
      .mutation(({ ctx, input }) => played(ctx.script.awaitPrompt)(input)),
    events: t.procedure.input(anything).subscription(async function* ({ ctx, input, signal }) {
      const ends = signal ?? new AbortController().signal;
      for await (const { id, event } of ctx.script.events?.(input, ends) ?? []) {
        yield tracked(id, event);
      }
    }),
  }),
});

function played<T>(procedure: T | undefined): T {
  if (procedure === undefined) throw new Error("the script does not play this procedure");
  return procedure;
}

export class ScriptedServer implements AsyncDisposable {
  readonly #script: Script;
  #server: Server | null = null;
  #sockets: WebSocketServer | null = null;
  #port = 0;

  private constructor(script: Script) {
    this.#script = script;
  }

  static async start(script: Script): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const context = { script: this.#script };
    const handle = createHTTPHandler({
      router,
      basePath: "/trpc/",
      createContext: () => context,
      responseMeta: ({ errors }) => {
        const cause = errors[0]?.cause;
        return cause instanceof AppError ? { status: httpStatusOf(cause.code) } : {};
      },
    });
    const server = createServer((request, response) => {
      if (!this.#script.intercept?.(request, response)) handle(request, response);
    });
    this.#sockets = new WebSocketServer({ server, path: "/trpc" });
    if (this.#script.refusesSockets) {
      this.#sockets.on("connection", (socket) => socket.close(4401, "unauthorized"));
    }
    applyWSSHandler({
      wss: this.#sockets,
      router,
      createContext: ({ info, res }) => {
        const welcome = this.#script.isWelcome?.(info.connectionParams?.token) ?? true;
        if (!welcome) res.close(4401, "unauthorized");
        return context;
      },
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Cuts every connection, as a killed server would. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Cuts the HTTP connections; the server stays. */
  cut(): void {
    this.#server?.closeAllConnections();
  }

  /** Cuts the sockets; the server stays. */
  dropSockets(): void {
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
