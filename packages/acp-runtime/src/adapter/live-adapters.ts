import { limitError, limitPath } from "@signalbox/protocol";

/** One session's claim to a running adapter. */
export interface AdapterSlot {
  /** When the adapter last did something for someone, in milliseconds. */
  readonly lastUsedAtMs: number;
  /** Neither runs, waits, starts nor stops. */
  readonly isIdle: boolean;
  /** The running adapter's own id of its session. */
  readonly agentSessionId?: string | null;
  unloadIdle(): Promise<void>;
}

/** Holds a place for a start that has no session yet, or never will. */
export class StartClaim implements AdapterSlot {
  readonly lastUsedAtMs = Date.now();
  readonly isIdle = false;

  unloadIdle(): Promise<void> {
    return Promise.reject(new Error("a start cannot be unloaded"));
  }
}

/**
 * Keeps the number of running adapters under its limit: a start takes the place of the least
 * recently used idle one.
 */
export class LiveAdapters {
  readonly #max: number;
  readonly #slots = new Set<AdapterSlot>();

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#slots.size;
  }

  /**
   * @throws AppError `limit_exceeded` when every adapter runs or waits
   */
  async claim(slot: AdapterSlot): Promise<void> {
    while (!this.#slots.has(slot) && this.#slots.size >= this.#max) {
      const idle = [...this.#slots]
        .filter((candidate) => candidate.isIdle)
        .sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs)[0];
      if (!idle) {
        throw limitError("limit_exceeded", `all ${this.#max} adapters are in use`, {
          limit: limitPath("maxLiveAdapters"),
          max: this.#max,
          actual: this.#slots.size + 1,
        });
      }
      await idle.unloadIdle();
    }
    this.#slots.add(slot);
  }

  /** Whether a running adapter of another session calls its session by this id. */
  isOfAnother(slot: AdapterSlot, agentSessionId: string): boolean {
    return [...this.#slots].some(
      (other) => other !== slot && other.agentSessionId === agentSessionId,
    );
  }

  release(slot: AdapterSlot): void {
    this.#slots.delete(slot);
  }
}
