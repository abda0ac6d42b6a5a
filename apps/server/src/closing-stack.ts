/** What was made is closed in reverse, each once, also when one of them fails. */
export class ClosingStack {
  readonly #closers: (() => void | Promise<void>)[] = [];

  push(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** @throws the first failure, after everything was tried */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "several things failed to close");
  }
}
