/**
 * Turns on one connection, first come, first served.
 *
 * SQLite knows one transaction per connection and no callers: whatever runs while it is open
 * is part of it. So everything that touches the shared connection holds this lock.
 */
export class ConnectionLock {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  /** Waits for the turn. The answer gives it back; a second call of it does nothing. */
  async acquire(): Promise<() => void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#passOn();
    };
  }

  // The lock stays held while it passes to the next in line, so that nobody slips in between.
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
