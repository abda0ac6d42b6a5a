/** Where a run may go different ways, each way a task of the scheduler; between them all is fixed. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "@signalbox/db";
import type fc from "fast-check";

/** Turns of the event loop in which whatever a task set off comes to rest. */
const REST_TURNS = 12;

/** Waits until nothing but timers and the scheduler's tasks could go on. */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < REST_TURNS; turn += 1) {
    await nextTurn();
    // Files are looked at by other threads, at their own pace.
    if (process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) turn = 0;
  }
}

export class Gates {
  /** What went through, in order. */
  readonly trace: string[] = [];
  #scheduler: fc.Scheduler | null = null;

  /** Null lets everything through at once. */
  use(scheduler: fc.Scheduler | null): void {
    this.#scheduler = scheduler;
  }

  async pass(label: string): Promise<void> {
    await this.#scheduler?.schedule(Promise.resolve(), label);
    this.trace.push(label);
  }

  /** A database whose writes wait for their turn, in their order; those that wait share it. */
  throughDb(db: Database): Database {
    let waiting: (() => void)[] = [];
    const write = <T>(fn: Parameters<typeof db.write<T>>[0]): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.push(() => void db.write(fn).then(resolve, reject));
        if (waiting.length > 1) return;
        void this.pass("commit").then(() => {
          const batch = waiting;
          waiting = [];
          for (const go of batch) go();
        });
      });
    return Object.create(db, { write: { value: write } }) as Database;
  }
}
