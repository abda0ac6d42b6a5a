import { type Database, readEventsAfter } from "@signalbox/db";
import type { DurableEvent } from "@signalbox/protocol";
import { eventOf } from "../sessions/session-view.ts";

const PAGE_EVENTS = 200;
const MAX_EVENTS = 400;
const MAX_BYTES = 4 * 1024 * 1024;

export interface SharedPage {
  readonly events: readonly DurableEvent[];
  readonly hasMore: boolean;
}

interface Held {
  readonly event: DurableEvent;
  readonly bytes: number;
}

/**
 * The newest events that readers of a session were handed, so that all who are at the same place
 * cost one read. It belongs to nobody: a reader who is elsewhere reads for itself.
 */
export class EventWindow {
  readonly #db: Database;
  readonly #sessionId: string;
  #held: Held[] = [];
  readonly #reading = new Map<number, Promise<SharedPage>>();
  #bytes = 0;
  #readers = 0;
  #reads = 0;

  constructor(db: Database, sessionId: string) {
    this.#db = db;
    this.#sessionId = sessionId;
  }

  /** Reads of the database so far. */
  get reads(): number {
    return this.#reads;
  }

  /** A reader comes. @returns what it calls when it goes; with the last one the events go */
  enter(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
      if (this.#readers > 0) return;
      this.#held = [];
      this.#bytes = 0;
    };
  }

  /** Events after `after`, oldest first: what is at hand, else a page from the database. */
  async after(after: number): Promise<SharedPage> {
    const first = this.#held[0]?.event.sequence;
    const last = this.#held.at(-1)?.event.sequence;
    if (first !== undefined && last !== undefined && after >= first - 1 && after < last) {
      const events = this.#held.slice(after - first + 1).map(({ event }) => event);
      return { events, hasMore: false };
    }
    // Readers that were woken together ask together.
    const reading = this.#reading.get(after) ?? this.#read(after);
    this.#reading.set(after, reading);
    return reading;
  }

  async #read(after: number): Promise<SharedPage> {
    try {
      return await this.#readPage(after);
    } finally {
      this.#reading.delete(after);
    }
  }

  async #readPage(after: number): Promise<SharedPage> {
    this.#reads += 1;
    const { rows, hasMore } = await readEventsAfter(this.#db, this.#sessionId, after, PAGE_EVENTS);
    const page = rows.map((row) => ({ event: eventOf(row), bytes: row.fields.length }));
    this.#keep(page);
    return { events: page.map(({ event }) => event), hasMore };
  }

  /** Only what goes on where the window ends, or what begins beyond it. */
  #keep(page: readonly Held[]): void {
    const first = page[0]?.event.sequence;
    const end = this.#held.at(-1)?.event.sequence;
    if (first === undefined || (end !== undefined && first <= end)) return;
    if (end !== undefined && first !== end + 1) {
      this.#held = [];
      this.#bytes = 0;
    }
    for (const held of page) {
      this.#held.push(held);
      this.#bytes += held.bytes;
    }
    while (this.#held.length > MAX_EVENTS || (this.#bytes > MAX_BYTES && this.#held.length > 1)) {
      this.#bytes -= this.#held.shift()?.bytes ?? 0;
    }
  }
}
