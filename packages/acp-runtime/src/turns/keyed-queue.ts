/** Runs tasks one at a time per key, in the order they were added; keys never wait for each other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** A task that rejects fails only its own caller; the next task for the key still runs. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(task);
    const settled = () => undefined;
    const tail = result.then(settled, settled).finally(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    this.#tails.set(key, tail);
    return result;
  }
}
