import type { Adapter } from "./adapter.ts";

/** One adapter from the start of its process to its end. */
export interface Launch {
  readonly sessionId: string;
  readonly agent: string;
  readonly mark: string;
  readonly startedAtMs: number;
  readonly adapter: Adapter;
}

/** The adapters that run now, for who wants to see them. */
export class Launches {
  readonly #running = new Set<Launch>();

  get all(): Launch[] {
    return [...this.#running];
  }

  /** Keeps it listed until its process is gone. */
  add(launch: Launch): void {
    this.#running.add(launch);
    void launch.adapter.ended.then(() => this.#running.delete(launch));
  }
}
