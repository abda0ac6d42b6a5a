import { StringDecoder } from "node:string_decoder";
import type { StderrTail } from "../wire/agent-transport.ts";

/** More pieces than this are joined, since each costs more than its bytes. */
const MAX_PIECES = 1024;

/** The last `maxBytes` bytes of a stream, at no more than about twice that in memory. */
export class ByteTail {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isTruncated = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > 2 * this.#maxBytes || this.#pieces.length > MAX_PIECES) this.#join();
  }

  /** Never begins or ends within a character. */
  read(): StderrTail {
    const bytes = this.#join();
    let start = 0;
    if (this.#isTruncated) while (isContinuation(bytes[start])) start += 1;
    return {
      text: new StringDecoder("utf8").write(bytes.subarray(start)),
      truncated: this.#isTruncated,
    };
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#pieces);
    if (all.length > this.#maxBytes) this.#isTruncated = true;
    // Copied: a view would keep the dropped bytes alive.
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#maxBytes)));
    this.#pieces = [kept];
    this.#bytes = kept.length;
    return kept;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
