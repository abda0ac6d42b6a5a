/**
 * The tab's one WebSocket: what state it is in and when it is tried again.
 *
 * tRPC's client reconnects by itself but its pause cannot be cut short. So its own pause is zero
 * and the waiting happens here, before each address is handed out, where a click, the network's
 * return or a tab that comes back to the front can end it.
 */
import { createWSClient, type TRPCWebSocketClient } from "@trpc/client";
import { backoffMs } from "./backoff.ts";

export type ConnectionState = "live" | "connecting" | "reconnecting" | "offline";

export interface Connection {
  state: ConnectionState;
  /** Tries since the last time it was live. */
  attempt: number;
  /** Ends the pause before the next try. */
  retryNow: () => void;
}

const STABLE_MS = 3_000;
const PROBE_MS = 3_000;
const CLOSED_UNAUTHORIZED = 4401;

export class LiveSocket {
  readonly client: TRPCWebSocketClient;
  readonly #listeners = new Set<() => void>();
  #snapshot: Connection;
  #attempt = 0;
  #wasLive = false;
  #openedAtMs = 0;
  #endPause: (() => void) | null = null;

  /** @param onUnauthorized called when the server refuses the token */
  constructor(url: string, token: string, onUnauthorized: () => void) {
    this.#snapshot = { state: "connecting", attempt: 0, retryNow: this.retryNow };
    this.client = createWSClient({
      url: () => this.#address(url),
      connectionParams: { token },
      retryDelayMs: () => 0,
      // Opens with the first subscription and stays: a subscription is always there.
      lazy: { enabled: true, closeMs: 60_000 },
      keepAlive: { enabled: true, intervalMs: 5_000, pongTimeoutMs: 3_000 },
      onOpen: () => {
        this.#openedAtMs = Date.now();
      },
      onClose: (cause) => {
        if (cause?.code === CLOSED_UNAUTHORIZED) onUnauthorized();
      },
    });
  }

  /** Follows the socket and the browser's hints. @returns a function that ends it and the socket */
  start(): () => void {
    const stateOfClient = this.client.connectionState.subscribe({ next: this.#refresh });
    const onHint = () => {
      this.#refresh();
      if (document.visibilityState === "visible") this.#wake();
    };
    window.addEventListener("online", onHint);
    window.addEventListener("offline", this.#refresh);
    document.addEventListener("visibilitychange", onHint);
    return () => {
      stateOfClient.unsubscribe();
      window.removeEventListener("online", onHint);
      window.removeEventListener("offline", this.#refresh);
      document.removeEventListener("visibilitychange", onHint);
      // Not awaited: it waits for running calls, which end with the socket.
      void this.client.close().catch(() => undefined);
      this.retryNow();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Connection => this.#snapshot;

  readonly retryNow = (): void => this.#endPause?.();

  async #address(url: string): Promise<string> {
    if (this.#openedAtMs > 0 && Date.now() - this.#openedAtMs > STABLE_MS) this.#attempt = 0;
    this.#openedAtMs = 0;
    const pauseMs = backoffMs(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#refresh();
    if (pauseMs > 0) await this.#pause(pauseMs);
    return url;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#endPause = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#endPause = end;
    });
  }

  /** Asks an apparently open socket for a sign of life; after sleep it may only look open. */
  #wake(): void {
    this.retryNow();
    const { connection } = this.client;
    if (connection?.state !== "open") return;
    const { ws } = connection;
    const done = () => {
      clearTimeout(timer);
      ws.removeEventListener("message", done);
      ws.removeEventListener("close", done);
    };
    const timer = setTimeout(() => {
      done();
      ws.close();
    }, PROBE_MS);
    ws.addEventListener("message", done);
    ws.addEventListener("close", done);
    ws.send("PING");
  }

  readonly #refresh = (): void => {
    const isLive = this.client.connectionState.get().state === "pending";
    if (isLive) this.#wasLive = true;
    const state = isLive
      ? "live"
      : !navigator.onLine
        ? "offline"
        : this.#wasLive
          ? "reconnecting"
          : "connecting";
    const attempt = isLive ? 0 : this.#attempt;
    if (state === this.#snapshot.state && attempt === this.#snapshot.attempt) return;
    this.#snapshot = { state, attempt, retryNow: this.retryNow };
    for (const listener of this.#listeners) listener();
  };
}
