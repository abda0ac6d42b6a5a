import type { NewEvent, SessionFold } from "@signalbox/db";
import { META } from "@signalbox/protocol";
import { withMeta } from "./event-text.ts";
import { OpenMessage, type SpokenChunk } from "./open-message.ts";
import type { Redaction } from "./redaction.ts";

/** A replayed transcript as events: chunks of a message merged as live ones are, each marked. */
export class TranscriptImport {
  readonly #redaction: Redaction;
  readonly #maxEvents: number;
  #events: NewEvent[] = [];
  #fold: SessionFold = {};
  #open: OpenMessage | null = null;

  /** @param options of more events than `maxEvents` the newest are kept */
  constructor(options: { redaction: Redaction; maxEvents: number }) {
    this.#redaction = options.redaction;
    this.#maxEvents = options.maxEvents;
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
    return { events: this.#events.slice(-this.#maxEvents), fold: this.#fold };
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
    if (this.#events.length > 2 * this.#maxEvents) {
      this.#events = this.#events.slice(-this.#maxEvents);
    }
  }
}
