/** `GET /export`: a session's history as a download, by a token or by a ticket. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Runtime } from "@signalbox/acp-runtime";
import type { ExportTarget, ExportTickets } from "@signalbox/api";
import { AppError, DEFAULT_SESSION_ID } from "@signalbox/protocol";
import { z } from "zod";
import { bearerOf, type Callers } from "./access.ts";
import { targetOf } from "./request-target.ts";
import { whenWritable } from "./writable-socket.ts";

const PATH = "/export";

const query = z.strictObject({
  sessionId: z.string().default(DEFAULT_SESSION_ID),
  format: z.enum(["jsonl", "markdown"]),
});

export interface ExportEndpointOptions {
  readonly runtime: Runtime;
  readonly callers: Callers;
  readonly tickets: ExportTickets;
}

export class ExportEndpoint {
  readonly #options: ExportEndpointOptions;

  constructor(options: ExportEndpointOptions) {
    this.#options = options;
  }

  static takes(pathname: string): boolean {
    return pathname === PATH || pathname.startsWith(`${PATH}/`);
  }

  /**
   * Streams the file. A failure on the way cuts the connection, so that half a file is never
   * taken for a whole one. HEAD is answered like GET, without the file, and uses no ticket up.
   *
   * @throws AppError before the first byte
   */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      throw new AppError("bad_request", "an export is fetched with GET", {
        details: { field: "method" },
      });
    }
    const target = await this.#target(request);
    const file = await this.#options.runtime.exportSession(target);
    response.writeHead(200, {
      "Content-Type": file.contentType,
      "Content-Disposition": `attachment; filename="${file.fileName}"`,
      "Cache-Control": "no-store",
    });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      for await (const chunk of file.chunks) {
        if (gone.signal.aborted || response.destroyed) return;
        response.write(chunk);
        await whenWritable(response, gone.signal);
      }
      response.end();
    } finally {
      gone.abort();
    }
  }

  async #target(request: IncomingMessage): Promise<ExportTarget> {
    const url = targetOf(request.url);
    const ticketId = url?.pathname.slice(PATH.length + 1) ?? "";
    if (ticketId !== "") return this.#redeemed(request, ticketId);
    await this.#assertReader(request, bearerOf(request.headers.authorization));
    const parsed = query.safeParse(Object.fromEntries(url?.searchParams ?? []));
    if (parsed.success) return parsed.data;
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new AppError("bad_request", `${field || "query"}: ${parsed.error.issues[0]?.message}`, {
      details: { field },
    });
  }

  async #redeemed(request: IncomingMessage, ticketId: string): Promise<ExportTarget> {
    const { tickets } = this.#options;
    const ticket = request.method === "HEAD" ? tickets.find(ticketId) : tickets.redeem(ticketId);
    if (!ticket) {
      throw new AppError("unauthorized", "this export link is wrong, used or expired");
    }
    const { secret, ...target } = ticket;
    await this.#assertReader(request, secret);
    return target;
  }

  async #assertReader(request: IncomingMessage, secret: string | null): Promise<void> {
    const caller = await this.#options.callers.identify(secret, request.headers.origin);
    if (!caller) throw new AppError("unauthorized", "a valid bearer token is required");
    if (caller.scopes.includes("R")) return;
    throw new AppError("forbidden", "the token lacks scope R", {
      details: { required: ["R"], missing: ["R"] },
    });
  }
}
