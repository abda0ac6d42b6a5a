/** Lets any number of waiters sleep until something changed; holds no backlog. */
export class WakeUp {
  readonly #waiters = new Set<() => void>();

  #count = 0;

  /** How often anybody was woken: unchanged means that nothing was missed. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const wake of [...this.#waiters]) wake();
  }

  get waiterCount(): number {
    return this.#waiters.size;
  }

  /**
   * Sleeps until `isReady`, asked now and after each {@link WakeUp.wake}, or until `signal`
   * aborts. Never rejects.
   */
  async until(isReady: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isReady() && !signal.aborted) await this.next(signal);
  }

  /** Resolves at the next {@link WakeUp.wake}, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      if (signal.aborted) {
        resolve();
        return;
      }
      this.#waiters.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
