import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "@signalbox/protocol";
import { createProxyServer } from "httpxy";
import { sendError } from "./answers.ts";
import type { Log } from "./log.ts";
import { pageSecurity } from "./security-headers.ts";

/** A refresh by `meta` would stay where it is when the address has a hash, as the login link has. */
const startingPage = (nonce: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<script nonce="${nonce}">setTimeout(() => location.reload(), 1000)</script>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Signalbox</title><style>body{font:14px system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0}</style></head>
<body><p>The console is starting. This page reloads by itself.</p></body></html>
`;

export interface ConsoleProxyOptions {
  /** Where the console answers; null while it starts, undefined when there is none. */
  readonly url: () => string | null | undefined;
  readonly isDevelopment: boolean;
  readonly log: Log;
}

/** Passes what the server does not answer itself to the console's process. */
export class ConsoleProxy {
  readonly #options: ConsoleProxyOptions;
  readonly #proxy = createProxyServer({});

  constructor(options: ConsoleProxyOptions) {
    this.#options = options;
  }

  async web(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = this.#options.url();
    if (target === undefined) {
      sendError(response, new AppError("bad_request", "the console is switched off"));
      return;
    }
    const { nonce, policy } = pageSecurity(this.#options.isDevelopment);
    response.setHeader("Content-Security-Policy", policy);
    if (target === null) {
      response.writeHead(503, { "Content-Type": "text/html; charset=utf-8", "Retry-After": "1" });
      response.end(startingPage(nonce));
      return;
    }
    request.headers["content-security-policy"] = policy;
    request.headers["x-nonce"] = nonce;
    // The console needs no secret of the caller: it decides nothing.
    delete request.headers.authorization;
    try {
      await this.#proxy.web(request, response, { target });
    } catch (error) {
      this.#onError(error, response, nonce);
    }
  }

  /** Development's reload socket; the product's console has none. */
  async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const target = this.#options.url();
    if (!target || !this.#options.isDevelopment) {
      socket.destroy();
      return;
    }
    try {
      await this.#proxy.ws(request, socket, { target }, head);
    } catch (error) {
      this.#options.log.debug("the console's socket failed", { reason: String(error) });
      socket.destroy();
    }
  }

  #onError(error: unknown, response: ServerResponse, nonce: string): void {
    this.#options.log.warn("the console did not answer", { reason: String(error) });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(502, { "Content-Type": "text/html; charset=utf-8" });
    response.end(startingPage(nonce));
  }
}
