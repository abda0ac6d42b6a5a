import type { Writable } from "node:stream";

/**
 * Resolves when what was written has left, or the stream or the wait ends. A reader that does
 * not read waits here and costs one buffer, whatever happens in its session.
 */
export function whenWritable(stream: Writable, signal: AbortSignal): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done);
      stream.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    stream.once("drain", done);
    stream.once("close", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
