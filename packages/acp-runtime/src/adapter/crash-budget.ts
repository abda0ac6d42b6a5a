/** Crashes within this time count together. */
const WINDOW_MS = 5 * 60_000;
const MAX_CRASHES = 10;
/** How long a session whose agent crashed too often is held back. */
const HOLD_MS = 60_000;

/**
 * Holds a session's agent back that crashes again and again. Nothing here starts an adapter by
 * itself; this is for callers that do so without end.
 */
export class CrashBudget {
  readonly #crashedAtMs: number[] = [];

  /** The adapter exited by itself. */
  note(nowMs: number): void {
    this.#crashedAtMs.push(nowMs);
    if (this.#crashedAtMs.length > MAX_CRASHES) this.#crashedAtMs.shift();
  }

  /** Until when no start is tried; null when one may be. */
  heldUntilMs(nowMs: number): number | null {
    const [first] = this.#crashedAtMs;
    const last = this.#crashedAtMs.at(-1);
    if (first === undefined || last === undefined || this.#crashedAtMs.length < MAX_CRASHES) {
      return null;
    }
    const untilMs = last + HOLD_MS;
    return last - first <= WINDOW_MS && nowMs < untilMs ? untilMs : null;
  }
}
