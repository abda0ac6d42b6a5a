/**
 * How the process ends: by a signal, by a bug that nothing caught, or by a start that failed.
 *
 * It listens before anything is started, so that whatever comes first finds it there: an adapter
 * is never left to itself because the server was told to stop too early.
 */
import { EXIT_CODE } from "@signalbox/protocol";
import type { Log } from "./log.ts";
import type { RunningServer } from "./start-server.ts";

/**
 * A terminal's Ctrl-C reaches the whole process group, and npm passes it on as well: signals this
 * close together are one.
 */
const SAME_SIGNAL_MS = 250;

/** How long a stop may take after a bug, which may have broken the stop as well. */
const STOP_AFTER_BUG_MS = 30_000;

export class ProcessEnd {
  readonly #log: Log;
  #server: RunningServer | null = null;
  /** Set once the end has begun. */
  #exitCode: number | null = null;
  #isKilling = false;
  #firstSignalAtMs = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
    process.on("SIGTERM", (signal) => this.#onSignal(signal));
    process.on("SIGINT", (signal) => this.#onSignal(signal));
    // Without a listener of its own, a rejection that nobody handles arrives here as well.
    process.on("uncaughtException", (error, origin) => this.#onBug(error, origin));
  }

  get hasBegun(): boolean {
    return this.#exitCode !== null;
  }

  /** Hands over what has to be stopped; at once when the end has begun during the start. */
  own(server: RunningServer): void {
    this.#server = server;
    if (this.hasBegun) this.#stop(server);
  }

  /** Stops in order, or as soon as there is something to stop, and exits with the code. */
  begin(exitCode: number): void {
    if (this.hasBegun) return;
    this.#exitCode = exitCode;
    if (this.#server) this.#stop(this.#server);
  }

  /** The second signal does not wait. */
  #onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (now - this.#firstSignalAtMs < SAME_SIGNAL_MS) return;
    if (this.hasBegun) {
      this.#log.warn("second signal: ending at once", { signal });
      this.#kill(EXIT_CODE.usage);
      return;
    }
    this.#firstSignalAtMs = now;
    this.#log.info("stopping", { signal });
    this.begin(EXIT_CODE.clean);
  }

  #onBug(error: unknown, origin: string): void {
    this.#log.error("a bug ends the server", { origin, stack: stackOf(error) });
    this.begin(EXIT_CODE.internal);
    // Of a stop that had begun before it as well.
    this.#exitCode = EXIT_CODE.internal;
    setTimeout(() => this.#kill(EXIT_CODE.internal), STOP_AFTER_BUG_MS).unref();
  }

  #stop(server: RunningServer): void {
    server
      .stop()
      .catch((error: unknown) => {
        this.#exitCode = EXIT_CODE.internal;
        this.#log.error("the stop failed", { stack: stackOf(error) });
      })
      .finally(() => {
        if (!this.#isKilling) process.exit(this.#exitCode ?? EXIT_CODE.internal);
      });
  }

  #kill(exitCode: number): void {
    if (this.#isKilling) return;
    this.#isKilling = true;
    const killed = this.#server?.kill() ?? Promise.resolve();
    killed
      .catch((error: unknown) => {
        this.#log.error("processes were left behind", { stack: stackOf(error) });
      })
      .finally(() => process.exit(exitCode));
  }
}

function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}
