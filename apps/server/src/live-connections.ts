/** The longest that Node's timers wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Connection {
  readonly end: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** What a token has open, so that its end is theirs: sockets, and answers that stream. */
export class LiveConnections {
  readonly #byToken = new Map<string, Set<Connection>>();

  /**
   * @param end closes the connection; called once, when the token is revoked or expires
   * @returns a function that forgets the connection, for when it has closed by itself
   */
  add(token: { id: string; expiresAtMs: number | null }, end: () => void): () => void {
    const connection: Connection = { end, timer: undefined };
    const ofToken = this.#byToken.get(token.id) ?? new Set();
    this.#byToken.set(token.id, ofToken.add(connection));
    const forget = () => {
      clearTimeout(connection.timer);
      ofToken.delete(connection);
      if (ofToken.size === 0 && this.#byToken.get(token.id) === ofToken) {
        this.#byToken.delete(token.id);
      }
    };
    if (token.expiresAtMs !== null) this.#endAt(connection, token.expiresAtMs, forget);
    return forget;
  }

  /** Ends everything that a token has open. */
  end(tokenId: string): void {
    const ofToken = this.#byToken.get(tokenId);
    this.#byToken.delete(tokenId);
    for (const connection of ofToken ?? []) {
      clearTimeout(connection.timer);
      connection.end();
    }
  }

  #endAt(connection: Connection, atMs: number, forget: () => void): void {
    const leftMs = atMs - Date.now();
    connection.timer = setTimeout(
      () => {
        if (leftMs > MAX_TIMER_MS) {
          this.#endAt(connection, atMs, forget);
          return;
        }
        forget();
        connection.end();
      },
      Math.min(Math.max(leftMs, 0), MAX_TIMER_MS),
    );
    connection.timer.unref();
  }
}
