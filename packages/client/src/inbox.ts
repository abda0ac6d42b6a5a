/**
 * What has arrived and was not read yet, at most `maxItems`.
 *
 * Over that the inbox ends itself as `full`; its owner drains it and asks the server again from
 * the last cursor, so that a slow reader costs a round trip and never memory or an item.
 */
export class Inbox<T> {
  readonly #items: T[] = [];
  readonly #maxItems: number;
  #end: InboxEnd | null = null;
  #wake: (() => void) | null = null;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** Null while more may arrive. */
  get end(): InboxEnd | null {
    return this.#end;
  }

  put(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    if (this.#items.length >= this.#maxItems) this.#end = { kind: "full" };
    this.#wake?.();
  }

  /** The first end counts; items that came before it are still read. */
  finish(end: InboxEnd): void {
    this.#end ??= end;
    this.#wake?.();
  }

  /** The next item, or null when there will be none. One reader at a time. */
  async take(): Promise<T | null> {
    while (this.#items.length === 0 && !this.#end) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#items.shift() ?? null;
  }
}

export type InboxEnd =
  | { kind: "full" }
  /** The server ended the stream without an error, as it does when it stops. */
  | { kind: "stopped" }
  | { kind: "failed"; error: unknown };
