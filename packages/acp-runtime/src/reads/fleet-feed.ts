import type { Database, FleetNews } from "@signalbox/db";
import { WakeUp } from "./wake-up.ts";

/** How much news is kept for watchers that come back; older ones are told how things are. */
const NEWS_KEPT = 20_000;

export interface NumberedNews extends FleetNews {
  readonly id: number;
}

/** The news of this run of the server, in the order of its commits. */
export class FleetFeed {
  /** Grows with every start of the server; tells cursors of an earlier run apart. */
  readonly epoch: number;
  readonly changed = new WakeUp();
  readonly #kept: NumberedNews[] = [];
  #latest = 0;

  constructor(db: Database, epoch: number) {
    this.epoch = epoch;
    db.onFleetNews((news) => this.#take(news));
  }

  /** News that no commit carries: what only memory knows, such as a live adapter. */
  tell(news: Omit<FleetNews, "timestamp">): void {
    this.#take([{ ...news, timestamp: Date.now() }]);
  }

  /** The id of the last news; 0 before the first. */
  get latest(): number {
    return this.#latest;
  }

  /** @returns null when news after `id` is no longer kept */
  after(id: number, limit: number): NumberedNews[] | null {
    const skip = id - (this.#latest - this.#kept.length);
    return skip < 0 ? null : this.#kept.slice(skip, skip + limit);
  }

  #take(news: readonly FleetNews[]): void {
    for (const item of news) {
      this.#latest += 1;
      this.#kept.push({ ...item, id: this.#latest });
    }
    if (this.#kept.length > 2 * NEWS_KEPT) this.#kept.splice(0, this.#kept.length - NEWS_KEPT);
    this.changed.wake();
  }
}
