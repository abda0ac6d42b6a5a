import {
  addCostInWrite,
  appendEventsInWrite,
  dropOpenMessageInWrite,
  foldInWrite,
  type NewEvent,
  type Owner,
  type SessionFold,
  type Sqlite,
  tellFleetInWrite,
} from "@signalbox/db";

interface Entry {
  /** Counts up; entries are written in its order. */
  readonly index: number;
  readonly event: NewEvent;
  readonly fold: SessionFold | undefined;
  readonly dropsCheckpoint: boolean;
}

/**
 * Events that were said and are not committed yet, in order. A write takes them along; one that
 * fails leaves them here, and the next write takes them again, so a disk that was full for a
 * while costs nothing.
 */
export class UnwrittenEvents {
  readonly #target: { sessionId: string } & Owner;
  readonly #entries: Entry[] = [];
  #nextIndex = 0;
  /** Entries below it stand in the transaction that runs, or were committed. */
  #writtenBelow = 0;
  #committedBelow = 0;
  #bytes = 0;

  constructor(target: { sessionId: string } & Owner) {
    this.#target = target;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Above every entry so far: the limit of a write that is queued now. */
  get end(): number {
    return this.#nextIndex;
  }

  add(
    event: NewEvent,
    options: { fold?: SessionFold | undefined; dropsCheckpoint: boolean },
  ): void {
    const { fold, dropsCheckpoint } = options;
    this.#entries.push({ index: this.#nextIndex, event, fold, dropsCheckpoint });
    this.#nextIndex += 1;
    this.#bytes += event.fields.length;
  }

  /** Appends what stands below `limit` and is not written yet. Runs inside `Database.write`. */
  writeInWrite(sqlite: Sqlite, limit: number, now: number): void {
    const due = this.#entries.filter(({ index }) => index >= this.#writtenBelow && index < limit);
    if (due.length === 0) return;
    const { sessionId } = this.#target;
    appendEventsInWrite(
      sqlite,
      this.#target,
      due.map(({ event }) => event),
    );
    let isChanged = false;
    for (const { event, fold } of due) {
      if (!fold) continue;
      foldInWrite(sqlite, sessionId, fold);
      if (fold.addedCost) addCostInWrite(sqlite, { sessionId, ...event }, fold.addedCost);
      isChanged = true;
    }
    if (isChanged) tellFleetInWrite(sqlite, { type: "session_changed", sessionId }, now);
    if (due.some(({ dropsCheckpoint }) => dropsCheckpoint)) {
      dropOpenMessageInWrite(sqlite, sessionId);
    }
    this.#writtenBelow = limit;
  }

  /** What {@link UnwrittenEvents.writeInWrite} did was undone with its savepoint. */
  undo(writtenBelow: number): void {
    this.#writtenBelow = writtenBelow;
  }

  get writtenBelow(): number {
    return this.#writtenBelow;
  }

  committed(limit: number): void {
    this.#committedBelow = Math.max(this.#committedBelow, limit);
    this.#writtenBelow = Math.max(this.#writtenBelow, this.#committedBelow);
    let done = 0;
    for (const { index, event } of this.#entries) {
      if (index >= this.#committedBelow) break;
      this.#bytes -= event.fields.length;
      done += 1;
    }
    this.#entries.splice(0, done);
  }

  /** The transaction was refused. */
  refused(): void {
    this.#writtenBelow = this.#committedBelow;
  }
}
