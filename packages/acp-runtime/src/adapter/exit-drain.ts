import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long what a process wrote before its exit may take to arrive. */
const DRAIN_MS = 500;
/** How long a reader that paused the stream may keep the drain waiting. */
const PAUSED_DRAIN_MS = 5_000;
/** One turn of the event loop reads up to 2 MiB of a pipe, more than a pipe holds. */
const LAST_TURNS = 8;

/**
 * Waits until all streams have ended, or for 500 ms when somebody else holds them open. The
 * time does not run while a reader has a stream paused, up to 5 s.
 */
export async function drainAfterExit(streams: readonly Readable[]): Promise<void> {
  await Promise.all(streams.map(drainOne));
}

async function drainOne(stream: Readable): Promise<void> {
  let isOver = stream.readableEnded || stream.destroyed;
  let wake = (): void => {};
  const onOver = (): void => {
    isOver = true;
    wake();
  };
  const pausedUntil = performance.now() + PAUSED_DRAIN_MS;
  let openUntil = performance.now() + DRAIN_MS;
  const onResume = (): void => {
    openUntil = Math.min(performance.now(), pausedUntil) + DRAIN_MS;
    wake();
  };
  stream.once("end", onOver).once("close", onOver).on("resume", onResume);
  const waitFor = (limitMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (let now = performance.now(); !isOver; now = performance.now()) {
      const until = stream.isPaused() ? pausedUntil : openUntil;
      if (now >= until) break;
      await waitFor(until - now);
    }
    // A busy event loop may have spent the time without reading once.
    for (let turn = 0; turn < LAST_TURNS && !isOver; turn += 1) await nextTurn();
  } finally {
    stream.off("end", onOver).off("close", onOver).off("resume", onResume);
  }
}
