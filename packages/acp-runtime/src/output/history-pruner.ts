import {
  type Database,
  type HistoryFigures,
  type HistoryLimits,
  isOverHistoryLimits,
  type Owner,
  pruneEventsInWrite,
} from "@signalbox/db";

export interface HistoryPrunerOptions {
  readonly db: Database;
  readonly owner: Owner;
  readonly sessionId: string;
  readonly limits: HistoryLimits;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Cuts one session's history back to its limits, behind the write that went over them. Batch by
 * batch, each in a write of its own, so that other sessions' writes come between.
 */
export class HistoryPruner {
  readonly #options: HistoryPrunerOptions;
  #isRunning = false;
  #isDue = false;
  #isStopped = false;

  constructor(options: HistoryPrunerOptions) {
    this.#options = options;
  }

  /** @param figures after a commit */
  consider(figures: HistoryFigures): void {
    const { limits, onFailure } = this.#options;
    if (this.#isStopped || !isOverHistoryLimits(figures, limits)) return;
    this.#isDue = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#prune().catch(onFailure);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #prune(): Promise<void> {
    const { db, owner, sessionId, limits } = this.#options;
    try {
      while (this.#isDue && !this.#isStopped) {
        // Before the look: what goes over the limit during it is looked at again.
        this.#isDue = false;
        const isMoreDue = await db.write((sqlite) =>
          pruneEventsInWrite(sqlite, { sessionId, ...owner }, limits),
        );
        if (isMoreDue) this.#isDue = true;
      }
    } finally {
      // In one step with the last look, so that no call falls between them.
      this.#isRunning = false;
    }
  }
}
