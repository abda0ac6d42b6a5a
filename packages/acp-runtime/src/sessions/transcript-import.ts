import type { NewEvent, SessionFold } from "@signalbox/db";
import { META } from "@signalbox/protocol";
import { OpenMessage, type SpokenChunk } from "../output/open-message.ts";
import type { Redaction } from "../output/redaction.ts";
import { withMeta } from "../reads/event-text.ts";

/** A replayed transcript as events: chunks of a message merged as live ones are, each marked. */
export class TranscriptImport {
  readonly #redaction: Redaction;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  /** null where one was forgotten. */
  #events: (NewEvent | null)[] = [];
  /** Where the kept ones begin, and what they weigh. */
  #first = 0;
  #bytes = 0;
  #fold: SessionFold = {};
  #open: OpenMessage | null = null;

  /** @param options of more than `maxEvents` or `maxBytes` the newest are kept, one at least */
  constructor(options: { redaction: Redaction; maxEvents: number; maxBytes: number }) {
    this.#redaction = options.redaction;
    this.#maxEvents = options.maxEvents;
    this.#maxBytes = options.maxBytes;
  }

  /** Of the message that is being replayed. */
  get openBytes(): number {
    return this.#open?.isClosed === false ? this.#open.bytes : 0;
  }

  say(promptId: string | null, chunk: SpokenChunk): void {
    if (!this.#open?.continues(promptId, chunk)) {
      const previous = this.#open;
      this.#close();
      this.#open = OpenMessage.begin(promptId, chunk, previous, this.#redaction);
    }
    this.#open?.append(chunk);
    if (chunk.text === null) this.#close();
  }

  record(event: Omit<NewEvent, "timestamp">, fold?: SessionFold): void {
    this.#close();
    this.#open = null;
    this.#add(event);
    this.#fold = { ...this.#fold, ...fold };
  }

  end(): { events: NewEvent[]; fold: SessionFold } {
    this.#close();
    return { events: this.#events.filter((event) => event !== null), fold: this.#fold };
  }

  #close(): void {
    const message = this.#open;
    if (!message || message.isClosed) return;
    const fields = message.close(false);
    if (fields !== null) this.#add({ type: message.type, promptId: null, fields });
  }

  #add({ type, fields }: Omit<NewEvent, "timestamp">): void {
    const marked = withMeta(fields, META.imported, "true");
    this.#events.push({ type, promptId: null, fields: marked, timestamp: Date.now() });
    this.#bytes += Buffer.byteLength(marked);
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (let count = this.#events.length - this.#first; count > 1; count -= 1) {
      const oldest = this.#events[this.#first];
      if (!oldest || (count <= this.#maxEvents && this.#bytes <= this.#maxBytes)) break;
      this.#bytes -= Buffer.byteLength(oldest.fields);
      this.#events[this.#first] = null;
      this.#first += 1;
    }
    // Seldom, since it copies what stays.
    if (this.#first < 1_000 || 2 * this.#first < this.#events.length) return;
    this.#events = this.#events.slice(this.#first);
    this.#first = 0;
  }
}
