import type { IncomingMessage } from "node:http";
import type { CallNote } from "@signalbox/api";
import type { AppError } from "@signalbox/protocol";
import type { Caller } from "./access.ts";
import type { Log } from "./log.ts";

const WINDOW_MS = 1_000;
/** More refusals than this within the window are counted, and not written one by one. */
const MAX_REFUSALS = 20;
/** What a stranger may write into the log with one request. */
const MAX_TARGET_LENGTH = 200;

/** Who did what over which way in; nothing of what was asked or answered. */
export class AccessLog {
  readonly #log: Log;
  readonly #addressOf: (request: IncomingMessage) => string | null;
  #window = { sinceMs: 0, refusals: 0 };

  /** @param log hears of every access at its level `info` */
  constructor(log: Log, addressOf: (request: IncomingMessage) => string | null) {
    this.#log = log;
    this.#addressOf = addressOf;
  }

  /** A procedure was called; of a subscription that it began. */
  called(request: IncomingMessage, caller: Caller | null, way: "http" | "socket", note: CallNote) {
    const { path, type, outcome, durationMs } = note;
    this.#log.info("call", {
      path,
      type,
      way,
      outcome,
      durationMs: Math.round(durationMs),
      ...this.#who(request, caller),
    });
  }

  /** A route outside tRPC was used. */
  used(request: IncomingMessage, route: string, outcome: number): void {
    this.#log.info("request", { route, outcome, ...this.#who(request, null) });
  }

  socketOpened(request: IncomingMessage, caller: Caller): void {
    this.#log.info("a socket opened", this.#who(request, caller));
  }

  socketClosed(request: IncomingMessage, caller: Caller, code: number): void {
    this.#log.info("a socket closed", { code, ...this.#who(request, caller) });
  }

  /**
   * Somebody was turned away before anything was run. A flood of these is told by its number, with
   * the next refusal after it: strangers do not fill the disk.
   */
  refused(request: IncomingMessage, error: AppError): void {
    const nowMs = performance.now();
    if (nowMs - this.#window.sinceMs >= WINDOW_MS) {
      const untold = this.#window.refusals - MAX_REFUSALS;
      if (untold > 0) this.#log.info("more were refused", { count: untold });
      this.#window = { sinceMs: nowMs, refusals: 0 };
    }
    this.#window.refusals += 1;
    if (this.#window.refusals > MAX_REFUSALS) return;
    // Without what comes after "?": it can hold what is nobody's business.
    const target = request.url?.split("?", 1)[0]?.slice(0, MAX_TARGET_LENGTH);
    const { method } = request;
    this.#log.info("refused", {
      method,
      target,
      outcome: error.code,
      ...this.#who(request, null),
    });
  }

  #who(request: IncomingMessage, caller: Caller | null) {
    const by = caller && { token: caller.tokenId, name: caller.actor.name };
    return { ...by, address: this.#addressOf(request) };
  }
}
