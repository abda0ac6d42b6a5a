import type { ServerResponse } from "node:http";
import type { JsonObject } from "@signalbox/protocol";

/** A server-sent event stream that knows when its reader has gone. */
export class EventStream {
  /** Aborts when the client goes away before the end of the stream. */
  readonly hangUp: AbortSignal;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    const hangUp = new AbortController();
    this.hangUp = hangUp.signal;
    this.#response = response;
    response.once("close", () => {
      if (!response.writableFinished) hangUp.abort();
    });
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
  }

  send(event: JsonObject & { type: string }): void {
    if (this.hangUp.aborted) return;
    this.#response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** Resolves after that time, or at once when the client goes away. */
  pause(durationMs: number): Promise<void> {
    if (this.hangUp.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.hangUp.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, durationMs);
      this.hangUp.addEventListener("abort", wake);
    });
  }

  end(): void {
    this.#response.end();
  }
}
