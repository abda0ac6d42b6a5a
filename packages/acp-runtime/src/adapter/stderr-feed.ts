import { type Redaction, SpokenRedaction } from "../output/redaction.ts";

/**
 * What a session's adapter writes to its standard error: the end of it, for who asks later, and
 * news for who watches. Secrets are masked on the way in, also where two pieces meet.
 */
export class StderrFeed {
  readonly #maxBytes: number;
  #onNews: () => void;
  #spoken: SpokenRedaction | null = null;
  #tail = "";
  #isTruncated = false;
  #total = 0;
  /** Takes over from this one, when an open has begun before there was a session. */
  #heir: StderrFeed | null = null;

  constructor(maxBytes: number, onNews: () => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onNews = onNews;
  }

  /** Characters written so far, over all adapters: where a watcher is. */
  get total(): number {
    return this.#total;
  }

  /** Of the current adapter, or of the last one. */
  get tail(): { text: string; truncated: boolean } {
    return { text: this.#tail, truncated: this.#isTruncated };
  }

  /** Another adapter starts; what the one before wrote is forgotten. */
  begin(redaction: Redaction): (text: string) => void {
    this.#spoken = new SpokenRedaction(redaction);
    this.#tail = "";
    this.#isTruncated = false;
    return (text) => this.#push(text);
  }

  /** The adapter is gone: what was held back begins no secret any more. */
  flush(): void {
    const held = this.#spoken?.held ?? "";
    this.#spoken = null;
    this.#add(held);
  }

  /** From here on everything goes to `heir`, after what came so far. */
  handTo(heir: StderrFeed): void {
    this.#heir = heir;
    heir.#spoken = this.#spoken;
    heir.#tail = "";
    heir.#isTruncated = this.#isTruncated;
    heir.#add(this.#tail);
  }

  /** What came after `seen`, as far as it is still known. */
  since(seen: number): { text: string; total: number } {
    const count = Math.min(this.#total - seen, this.#tail.length);
    return { text: count <= 0 ? "" : this.#tail.slice(-count), total: this.#total };
  }

  #push(text: string): void {
    if (this.#heir) this.#heir.#push(text);
    else this.#add(this.#spoken?.push(text) ?? text);
  }

  #add(text: string): void {
    if (text === "") return;
    this.#total += text.length;
    this.#tail += text;
    // Cut seldom: each cut copies what stays.
    if (this.#tail.length > 2 * this.#maxBytes) this.#cut();
    this.#onNews();
  }

  #cut(): void {
    const bytes = Buffer.from(this.#tail);
    let start = Math.max(0, bytes.length - this.#maxBytes);
    while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    this.#tail = bytes.subarray(start).toString("utf8");
    this.#isTruncated = true;
  }

  /** The tail within its limit. */
  read(): { text: string; truncated: boolean } {
    if (Buffer.byteLength(this.#tail) > this.#maxBytes) this.#cut();
    return this.tail;
  }
}
