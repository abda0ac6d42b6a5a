/** Who follows a signal. It gets one listener for all: Node takes more than ten for a leak. */
class Followers {
  static readonly #of = new WeakMap<AbortSignal, Followers>();
  readonly #source: AbortSignal;
  readonly #following = new Set<() => void>();
  readonly #onAbort = () => {
    for (const follow of [...this.#following]) follow();
  };

  private constructor(source: AbortSignal) {
    this.#source = source;
  }

  static of(source: AbortSignal): Followers {
    const followers = Followers.#of.get(source) ?? new Followers(source);
    Followers.#of.set(source, followers);
    return followers;
  }

  add(follow: () => void): void {
    if (this.#following.size === 0) this.#source.addEventListener("abort", this.#onAbort);
    this.#following.add(follow);
  }

  remove(follow: () => void): void {
    this.#following.delete(follow);
    if (this.#following.size === 0) this.#source.removeEventListener("abort", this.#onAbort);
  }
}

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
    for (const source of this.#sources) Followers.of(source).add(this.#onAbort);
    this.#follow();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) Followers.of(source).remove(this.#onAbort);
  }

  #follow(): void {
    const aborted = this.#sources.find((source) => source.aborted);
    if (aborted) this.#controller.abort(aborted.reason);
  }
}
