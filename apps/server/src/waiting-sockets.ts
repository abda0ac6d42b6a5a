import type { WebSocket } from "ws";

const UNAUTHORIZED_CLOSE = 4401;
/** A socket that has not shown a valid token by then is closed. */
const HANDSHAKE_MS = 4_000;
/** How long a peer may take to close its side. */
const CLOSE_WAIT_MS = 1_000;

/** Closes a socket whose token is missing, wrong or at its end, whether its peer answers or not. */
export function closeUnauthorized(client: WebSocket): void {
  client.close(UNAUTHORIZED_CLOSE, "unauthorized");
  const patience = setTimeout(() => client.terminate(), CLOSE_WAIT_MS);
  client.once("close", () => clearTimeout(patience));
}

/** Sockets that have not shown a valid token yet: few at a time, and none for long. */
export class WaitingSockets {
  readonly #max: number;
  /** The deadline of each, the one that has waited longest first. */
  readonly #deadlines = new Map<WebSocket, NodeJS.Timeout>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * One more than may wait costs the one that has waited longest its place: refusing the newest
   * would let strangers who say nothing keep everybody else out.
   */
  add(client: WebSocket): void {
    const [longest] = this.#deadlines.keys();
    if (longest && this.#deadlines.size >= this.#max) this.#refuse(longest);
    this.#deadlines.set(
      client,
      setTimeout(() => this.#refuse(client), HANDSHAKE_MS),
    );
    client.once("close", () => this.admit(client));
  }

  /** The socket has shown its token, or is gone. */
  admit(client: WebSocket): void {
    clearTimeout(this.#deadlines.get(client));
    this.#deadlines.delete(client);
  }

  #refuse(client: WebSocket): void {
    this.admit(client);
    closeUnauthorized(client);
  }
}
