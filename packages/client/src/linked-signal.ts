/**
 * A signal that is aborted with the first of several, and lets go of them when it is disposed.
 *
 * `AbortSignal.any` would do, but on Node 20 what listens to its result is kept for as long as the
 * longest living of its sources, which here is the client itself.
 */
export class LinkedSignal implements Disposable {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #onAbort = () => this.#follow();

  constructor(...sources: (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) source.addEventListener("abort", this.#onAbort);
    this.#follow();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#onAbort);
  }

  #follow(): void {
    const aborted = this.#sources.find((source) => source.aborted);
    if (aborted) this.#controller.abort(aborted.reason);
  }
}
