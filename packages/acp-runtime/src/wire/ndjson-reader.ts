/**
 * Bytes in, lines out.
 *
 * A line is decoded only when it is complete, so a character that was split between two
 * chunks is always whole again. Invalid UTF-8 becomes U+FFFD: dropping the line instead
 * could drop the answer that a turn waits for.
 */

const LINE_FEED = 0x0a;
/** A buffer that one long line has grown beyond this is given back afterwards. */
const KEPT_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

export interface NdjsonHandlers {
  /** A complete line without its break and outer white space; never blank. */
  onLine(line: string): void;
  /** The rest at the end of input, when it did not end with a line break. */
  onTruncated(text: string): void;
  /** Called once; nothing is read afterwards. */
  onLineTooLong(actualBytes: number): void;
}

export class NdjsonReader {
  readonly #handlers: NdjsonHandlers;
  readonly #maxLineBytes: number;
  /** The beginning of a line whose end has not come yet; grows by doubling, so each byte is copied a bounded number of times. */
  #pending = Buffer.alloc(0);
  #pendingBytes = 0;
  #ended = false;

  /** @param maxLineBytes what one line may hold, its break not counted */
  constructor(handlers: NdjsonHandlers, maxLineBytes: number) {
    this.#handlers = handlers;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Hands over every line that this chunk completes. The chunk is not kept. */
  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    while (!this.#ended) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end === -1 ? undefined : end);
      const lineBytes = this.#pendingBytes + part.length;
      if (lineBytes > this.#maxLineBytes) {
        this.stop();
        this.#handlers.onLineTooLong(lineBytes);
        return;
      }
      if (end === -1) {
        this.#keep(part);
        return;
      }
      this.#emit(part);
      start = end + 1;
    }
  }

  /** The input is over. What is left was never completed and so is no line. */
  end(): void {
    if (this.#ended) return;
    const text = decode(this.#pending.subarray(0, this.#pendingBytes));
    this.stop();
    if (text !== "") this.#handlers.onTruncated(text);
  }

  /** Forgets what is pending and ignores all further input; may be called from a handler. */
  stop(): void {
    this.#ended = true;
    this.#pending = Buffer.alloc(0);
    this.#pendingBytes = 0;
  }

  #emit(part: Buffer): void {
    let text: string;
    if (this.#pendingBytes === 0) {
      text = decode(part);
    } else {
      this.#keep(part);
      text = decode(this.#pending.subarray(0, this.#pendingBytes));
      this.#pendingBytes = 0;
      if (this.#pending.length > KEPT_BYTES) this.#pending = Buffer.alloc(0);
    }
    if (text !== "") this.#handlers.onLine(text);
  }

  #keep(part: Buffer): void {
    const needed = this.#pendingBytes + part.length;
    if (needed > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2, 1024));
      this.#pending.copy(grown, 0, 0, this.#pendingBytes);
      this.#pending = grown;
    }
    part.copy(this.#pending, this.#pendingBytes);
    this.#pendingBytes = needed;
  }
}

function decode(line: Buffer): string {
  const text = line.toString("utf8");
  return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).trim();
}
