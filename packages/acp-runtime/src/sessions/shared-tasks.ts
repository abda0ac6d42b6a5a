/** Equal tasks that come while one is under way share its outcome. */
export class SharedTasks {
  readonly #running = new Map<string, { readonly kind: string; readonly outcome: Promise<void> }>();

  /**
   * Runs `task`, unless the newest one of `owner` is of the same kind and still runs: then its
   * outcome is that of both.
   */
  run(owner: string, kind: string, task: () => Promise<void>): Promise<void> {
    const known = this.#running.get(owner);
    if (known?.kind === kind) return known.outcome;
    const outcome = task().finally(() => {
      if (this.#running.get(owner) === running) this.#running.delete(owner);
    });
    const running = { kind, outcome };
    this.#running.set(owner, running);
    return outcome;
  }

  /** Whatever runs is shared no more. */
  forget(owner: string): void {
    this.#running.delete(owner);
  }
}
