import { countPromptsIn, pruneOldPrompts, prunePromptsInWrite } from "@signalbox/db";
import type { RuntimeDeps } from "../runtime-deps.ts";

/** Between looks for prompts that are too old, in milliseconds. */
const SWEEP_EVERY_MS = 3_600_000;

/** Keeps prompt rows, and with them idempotency keys, within their number and their age. */
export class PromptRetention {
  readonly #deps: RuntimeDeps;
  readonly #counts = new Map<string, number>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(deps: RuntimeDeps) {
    this.#deps = deps;
  }

  /** Looks for old prompts now and every hour. */
  start(): void {
    this.#sweep();
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#sweeping;
  }

  /** Another prompt of the session was accepted. Removes the oldest when there are too many. */
  async accepted(sessionId: string): Promise<void> {
    const { db, limits } = this.#deps;
    const max = limits.maxPromptsPerSession;
    const known = this.#counts.get(sessionId);
    let count =
      known === undefined
        ? await db.read((sqlite) => countPromptsIn(sqlite, sessionId))
        : known + 1;
    // Another acceptance may have counted meanwhile; too low a count is put right by the next look.
    this.#counts.set(sessionId, Math.max(count, this.#counts.get(sessionId) ?? 0));
    while (count > max) {
      const due = count - max;
      const removed = await db.write((sqlite) => prunePromptsInWrite(sqlite, sessionId, due));
      count = await db.read((sqlite) => countPromptsIn(sqlite, sessionId));
      this.#counts.set(sessionId, count);
      if (removed === 0) return;
    }
  }

  /** The session is gone, or another prompt count must be taken. */
  forget(sessionId: string): void {
    this.#counts.delete(sessionId);
  }

  #sweep(): void {
    const { db, limits, onBug } = this.#deps;
    const beforeMs = Date.now() - limits.promptRetentionMs;
    this.#sweeping = this.#sweeping
      .then(() => pruneOldPrompts(db, beforeMs, this.#stopped.signal))
      .then(
        (removed) => {
          if (removed > 0) this.#counts.clear();
        },
        (error: unknown) => {
          if (!this.#stopped.signal.aborted) onBug(error, "removal of old prompts");
        },
      );
  }
}
