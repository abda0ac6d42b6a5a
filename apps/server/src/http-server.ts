/** The public port: what is answered here, what goes to tRPC, and what to the console. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { SystemFacts } from "@signalbox/api";
import { AppError, EXIT_CODE } from "@signalbox/protocol";
import type { AccessLog } from "./access-log.ts";
import { sendError, sendJson } from "./answers.ts";
import type { ConsoleProxy } from "./console-proxy.ts";
import { ExitError } from "./exit-error.ts";
import { ExportEndpoint } from "./export-endpoint.ts";
import type { Log } from "./log.ts";
import type { ConsoleLogin } from "./login.ts";
import { OriginGuard } from "./origin-guard.ts";
import { targetOf } from "./request-target.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import type { TrpcEndpoint } from "./trpc-endpoint.ts";
import { WaitingRoom } from "./waiting-room.ts";

const TRPC_PATH = "/trpc";
/** A connection that has not sent the head of a request by then is closed. */
const HEADERS_TIMEOUT_MS = 10_000;

export interface HttpServerOptions {
  readonly trpc: TrpcEndpoint;
  readonly exports: ExportEndpoint;
  readonly login: ConsoleLogin;
  readonly console: ConsoleProxy;
  readonly system: SystemFacts;
  readonly log: Log;
  readonly accessLog: AccessLog;
  readonly allowedHosts: readonly string[];
  /** Connections that have not asked anything yet. */
  readonly maxSilentConnections: number;
}

/**
 * Asks for the port and gives it back, so that a start that cannot have it changes nothing.
 *
 * @throws ExitError with code 5 when the port is taken, 2 when the address is wrong
 */
export async function assertPortIsFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(listenFailure(error, host, port)));
    probe.listen({ host, port }, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  #guard: OriginGuard | null = null;
  /** They leave Node's own list of connections and would keep the server from closing. */
  readonly #upgraded = new Set<Socket>();
  readonly #silent: WaitingRoom<Socket>;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS });
    this.#silent = new WaitingRoom({
      what: "connections",
      max: options.maxSilentConnections,
      patienceMs: HEADERS_TIMEOUT_MS,
      refuse: (socket) => socket.destroy(),
    });
    this.#server.on("connection", (socket) => this.#onConnection(socket));
    this.#server.on("request", (request, response) => void this.#onRequest(request, response));
    this.#server.on("upgrade", (request, socket, head) =>
      this.#onUpgrade(request, socket as Socket, head),
    );
  }

  /**
   * @returns the port that was bound
   * @throws ExitError with code 5 when the port is taken
   */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port));
      this.#server.once("error", onError);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", onError);
        // A connection that cannot be taken, for want of file descriptors, is no end of the others.
        this.#server.on("error", (error) =>
          this.#options.log.error("a connection was not taken", { reason: error.message }),
        );
        resolve();
      });
    });
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    this.#guard = new OriginGuard(address.port, this.#options.allowedHosts);
    return address.port;
  }

  async close(): Promise<void> {
    await this.#options.trpc.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }

  #onConnection(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    try {
      this.#silent.makePlace(address);
    } catch {
      // Nothing was asked, so nothing can be answered.
      socket.destroy();
      return;
    }
    this.#silent.add(socket, address);
    socket.once("close", () => this.#silent.leave(socket));
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response);
    this.#silent.leave(request.socket);
    try {
      this.#guard?.assert(request);
      await this.#route(request, response);
    } catch (error) {
      this.#fail(error, request, response);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pathname = targetOf(request.url)?.pathname;
    if (pathname === undefined) {
      throw new AppError("bad_request", "the request target is not a path");
    }
    if (pathname === "/healthz") {
      const { system } = this.#options;
      sendJson(response, 200, { status: system.status(), version: system.version });
    } else if (pathname === TRPC_PATH || pathname.startsWith(`${TRPC_PATH}/`)) {
      await this.#options.trpc.handle(request, response, pathname.slice(TRPC_PATH.length + 1));
    } else if (ExportEndpoint.takes(pathname)) {
      this.#noteUse(request, response, "export");
      await this.#options.exports.handle(request, response);
    } else if (pathname === "/login" && request.method === "POST") {
      this.#noteUse(request, response, "login");
      await this.#options.login.handle(request, response);
    } else {
      if (!isDecodable(pathname)) request.url = "/not-found";
      await this.#options.console.web(request, response);
    }
  }

  #noteUse(request: IncomingMessage, response: ServerResponse, route: string): void {
    const { accessLog } = this.#options;
    response.once("close", () => accessLog.used(request, route, response.statusCode));
  }

  /** Runs as a listener: what it threw would end the process. */
  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on("error", (error) =>
      this.#options.log.debug("an upgrade failed", { reason: error.message }),
    );
    this.#silent.leave(socket);
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    try {
      this.#guard?.assert(request);
      this.#routeUpgrade(request, socket, head);
    } catch (error) {
      if (error instanceof AppError) {
        this.#options.accessLog.refused(request, error);
        refuseUpgrade(socket, error);
        return;
      }
      this.#logBug(error);
      socket.destroy();
    }
  }

  #routeUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const target = targetOf(request.url);
    if (!target) throw new AppError("bad_request", "the request target is not a path");
    if (target.pathname === TRPC_PATH) {
      const announcesParams = target.searchParams.get("connectionParams") === "1";
      this.#options.trpc.upgrade(request, socket, head, { announcesParams });
    } else {
      void this.#options.console.upgrade(request, socket, head);
    }
  }

  #logBug(error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#options.log.error("a request failed", { stack });
  }

  #fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const known = error instanceof AppError;
    if (known) this.#options.accessLog.refused(request, error);
    else this.#logBug(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, known ? error : new AppError("internal", "internal error"));
  }
}

/** Closes it for good: a peer that leaves its own side open must not hold a connection. */
function refuseUpgrade(socket: Socket, error: AppError): void {
  const { httpStatus } = error.toData();
  const reason = STATUS_CODES[httpStatus] ?? "";
  socket.end(`HTTP/1.1 ${httpStatus} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}

/** The console's router fails on an escape that stands for no character; such a page is none. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Codes of an address that this machine does not have or may not listen on. */
const WRONG_ADDRESS: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EACCES",
  "EAFNOSUPPORT",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new ExitError(
      EXIT_CODE.portInUse,
      `Port ${port} on ${host} is in use. Set SIGNALBOX_PORT or server.port to another one.`,
    );
  }
  if (!WRONG_ADDRESS.has(error.code ?? "")) return error;
  return new ExitError(
    EXIT_CODE.badConfiguration,
    `server.host: this machine cannot listen on ${host} port ${port} (${error.code}).`,
  );
}
