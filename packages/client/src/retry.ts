import type { ErrorCode } from "@signalbox/protocol";
import { type SignalboxConnectionError, SignalboxError, toSignalboxError } from "./errors.ts";

/**
 * Codes after which the very same call may be made again: the server refused it before it
 * changed anything.
 *
 * `prompt_not_delivered` is not among them although it is retryable: it is the stored end of a
 * turn, so the same key gives the same error for ever. Send the content again with a new key.
 * `prompt_delivery_uncertain` is never safe: the agent may have done the work.
 */
export const SAFE_TO_RETRY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "rate_limited",
  "storage_busy",
  "server_draining",
]);

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/** Milliseconds to wait before attempt number `attempt` (from 0): doubling, capped, jittered. */
export function backoffMs(attempt: number): number {
  const ceilingMs = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return ceilingMs / 2 + Math.random() * (ceilingMs / 2);
}

/** Resolves after `ms` milliseconds, or at once when the signal is aborted; never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/** Whether the same call may be made again and has a chance to fare better. */
export function isTransient(error: SignalboxError | SignalboxConnectionError): boolean {
  if (error instanceof SignalboxError) {
    return SAFE_TO_RETRY.has(error.code) && !isTurnFailure(error);
  }
  const { httpStatus } = error;
  return httpStatus === null || httpStatus >= 500 || httpStatus === 408 || httpStatus === 429;
}

/** The stored end of a turn, which no further call changes, as opposed to a failed call. */
export function isTurnFailure(error: SignalboxError): boolean {
  const delivery = error.details?.delivery;
  return delivery === "never" || delivery === "uncertain";
}

/**
 * Makes a call until it answers.
 *
 * @param maxOutageMs how long to go on without an answer, in milliseconds
 * @throws SignalboxError the first that is not transient
 * @throws SignalboxConnectionError (or the last transient error) when the outage was too long
 * @throws the signal's reason once it is aborted
 */
export async function retryTransient<T>(
  call: () => Promise<T>,
  { maxOutageMs, signal }: { maxOutageMs: number; signal: AbortSignal },
): Promise<T> {
  const startedAtMs = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (cause) {
      signal.throwIfAborted();
      const error = toSignalboxError(cause);
      const delayMs = backoffMs(attempt);
      const outageMs = performance.now() - startedAtMs;
      if (!isTransient(error) || outageMs + delayMs > maxOutageMs) throw error;
      await pause(delayMs, signal);
    }
  }
}
