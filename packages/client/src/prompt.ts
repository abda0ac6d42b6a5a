import {
  OWN_EVENT,
  type PromptInput,
  type PromptResult,
  type SessionEvent,
} from "@signalbox/protocol";
import { SignalboxError } from "./errors.ts";
import { followSession } from "./follow-session.ts";
import { LinkedSignal } from "./linked-signal.ts";
import { isTurnFailure, retryTransient } from "./retry.ts";
import type { SignalboxApi, Transport } from "./transport.ts";

/** One wait of `sessions.awaitPrompt`; well under what HTTP clients and proxies grant an answer. */
const AWAIT_MS = 60_000;

export type PromptRequest = Omit<PromptInput, "content"> & {
  /**
   * Aborting it ends the waiting only: an accepted turn goes on. Use `sessions.cancelPrompt` to
   * end the turn.
   */
  signal?: AbortSignal;
  /** Called in order with each event of this turn after its acceptance, live deltas included. */
  onEvent?: (event: SessionEvent) => void;
} & (
    | { content: PromptInput["content"]; text?: undefined }
    /** Short for one text block. */
    | { text: string; content?: undefined }
  );

export interface PromptSettings {
  maxOutageMs: number;
  maxBufferedItems: number;
  signal: AbortSignal;
}

/**
 * Sends a prompt exactly once and waits for its end.
 *
 * Every retry carries the same idempotency key, so that an answer lost on the way never becomes a
 * second turn.
 */
export async function prompt(
  transport: Transport,
  request: PromptRequest,
  { maxOutageMs, maxBufferedItems, signal }: PromptSettings,
): Promise<PromptResult> {
  const { api } = transport;
  const { text, content, onEvent, signal: _, ...rest } = request;
  const input: PromptInput = {
    ...rest,
    idempotencyKey: rest.idempotencyKey ?? crypto.randomUUID(),
    content: content ?? [{ type: "text", text }],
  };
  const session = rest.sessionId === undefined ? {} : { sessionId: rest.sessionId };
  const { promptId, sequence } = await retryTransient(
    () => api.sessions.submitPrompt.mutate(input, { signal }),
    { maxOutageMs, signal },
  );
  const result = (ends: AbortSignal) =>
    awaitResult(api, { ...session, promptId }, { maxOutageMs, signal: ends });
  if (!onEvent) return result(signal);
  return withEvents(signal, result, (ends) =>
    tellTurn(
      followSession(transport, { ...session, after: sequence, maxBufferedItems, signal: ends }),
      promptId,
      onEvent,
    ),
  );
}

async function awaitResult(
  api: SignalboxApi,
  target: { sessionId?: string; promptId: string },
  retry: { maxOutageMs: number; signal: AbortSignal },
): Promise<PromptResult> {
  for (;;) {
    const answer = await retryTransient(
      () =>
        api.sessions.awaitPrompt.mutate({ ...target, waitMs: AWAIT_MS }, { signal: retry.signal }),
      retry,
    );
    if (!("pending" in answer)) return answer;
  }
}

/** Tells the events up to the turn's end. */
async function tellTurn(
  events: AsyncIterable<{ event: SessionEvent }>,
  promptId: string,
  onEvent: (event: SessionEvent) => void,
): Promise<void> {
  for await (const { event } of events) {
    if (event.promptId !== promptId) continue;
    onEvent(event);
    if (event.type === OWN_EVENT.turnEnded) return;
  }
}

/**
 * Waits for the result and for its events. The last events of a turn that ended are always told
 * before the result; a failed call or a failed listener ends both.
 */
async function withEvents(
  signal: AbortSignal,
  awaitEnd: (ends: AbortSignal) => Promise<PromptResult>,
  tell: (ends: AbortSignal) => Promise<void>,
): Promise<PromptResult> {
  const stop = new AbortController();
  using ends = new LinkedSignal(signal, stop.signal);
  const told = tell(ends.signal);
  const result = awaitEnd(ends.signal);
  const turnEnded = result.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof SignalboxError && isTurnFailure(error))) throw error;
    },
  );
  try {
    await Promise.all([told, turnEnded]);
    return await result;
  } finally {
    stop.abort();
    await Promise.allSettled([told, turnEnded]);
  }
}
