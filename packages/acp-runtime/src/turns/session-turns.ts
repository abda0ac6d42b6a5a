/**
 * The turns of one session, one at a time: restore, dispatch mark, prompt, end.
 *
 * After acceptance a failure is an event, not an exception: whatever goes wrong here ends in the
 * turn's last commit.
 */
import {
  appendEventsInWrite,
  dropOpenMessageInWrite,
  finishPromptInWrite,
  markDispatched,
  type PromptRow,
  readOpenPrompts,
  startQueuedPromptInWrite,
} from "@signalbox/db";
import { AppError, type ContentBlock, isJsonObject, OWN_EVENT } from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import type { CatalogueAgent } from "../agents/catalogue.ts";
import { PromptEcho } from "../output/prompt-echo.ts";
import type { SessionLog } from "../output/session-log.ts";
import type { OpenRequests } from "../requests/open-requests.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import type { SessionAdapter } from "../sessions/session-adapter.ts";
import { leadingBlocks } from "./leading-blocks.ts";
import { userEvents } from "./prompt-content.ts";
import { type CancelReason, Turn } from "./turn.ts";
import { stopReasonOf, stopReasonOfEnd, type TurnEnd } from "./turn-end.ts";
import { turnFailure } from "./turn-failure.ts";
import { type SessionCost, turnUsageText } from "./turn-usage.ts";

/** Between attempts to store the end of a turn while the disk refuses, in milliseconds. */
const FINISH_RETRY_MS = 1_000;

export interface SessionTurnsOptions {
  readonly deps: RuntimeDeps;
  readonly log: SessionLog;
  readonly requests: OpenRequests;
  readonly adapter: SessionAdapter;
  readonly cost: SessionCost;
  /** Undefined when the configuration no longer has it. */
  readonly agent: CatalogueAgent | undefined;
  /** Left out of the first prompt's stored message; null for none. */
  readonly instructions: string | null;
  readonly onIdle: () => void;
}

export class SessionTurns {
  readonly #options: SessionTurnsOptions;
  #current: Turn | null = null;
  /** The turn whose output the adapter is sending: dispatched and not yet answered. */
  #speaking: Turn | null = null;
  /** Asked how it ended when it ends without an answer. */
  #dispatchedTo: Adapter | null = null;
  #isHeld = false;
  /** False only when nothing can be queued; spares each turn a look. */
  #mayBeQueued = true;
  #graceTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  readonly #gone = new AbortController();

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
  }

  get current(): Turn | null {
    return this.#current;
  }

  get speaking(): Turn | null {
    return this.#speaking;
  }

  /** Holds the queue back while the session is unloaded, deleted or the server stops. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** What the disk refuses is not tried again: the next start of the server closes the turn. */
  stopRetrying(): void {
    this.#closing.abort();
  }

  /** Nobody waits for the agent's answer any more. */
  abandon(): void {
    this.#closing.abort();
    this.#gone.abort();
  }

  /** Runs the turn of a prompt whose acceptance has committed. */
  start(promptId: string, content: readonly ContentBlock[]): void {
    const turn = new Turn(promptId, content);
    const previous = this.#current?.ended ?? Promise.resolve();
    this.#current = turn;
    turn.ended = previous.then(() => this.#run(turn));
  }

  /** Starts the next queued prompt when no turn runs. */
  async startNext(): Promise<void> {
    const { deps, log } = this.#options;
    if (this.#isHeld || this.#current || !this.#mayBeQueued) return;
    // Before the look: a prompt that takes its place meanwhile sets it again.
    this.#mayBeQueued = false;
    const open = await readOpenPrompts(deps.db, [log.sessionId]).catch((error: unknown) => {
      this.#mayBeQueued = true;
      throw error;
    });
    if (!open.some((prompt) => prompt.state === "queued")) return;
    this.#mayBeQueued = true;
    if (this.#isHeld || this.#current) return;
    log.endMessage();
    const target = { sessionId: log.sessionId, ...deps.owner };
    const now = Date.now();
    const row = await log.write((sqlite) =>
      startQueuedPromptInWrite(
        sqlite,
        target,
        (prompt) => userEvents(prompt.promptId, queuedBlocks(prompt), now),
        now,
      ),
    );
    if (row) this.start(row.promptId, queuedBlocks(row));
  }

  /**
   * Cancels a turn wherever it is. Its open requests are answered at once, since some
   * agents end a turn only after that; an agent that does not end it in time is stopped.
   *
   * @returns false when the agent had answered before
   */
  async cancel(turn: Turn, reason: CancelReason): Promise<boolean> {
    const wasCancelled = turn.isCancelled;
    if (!turn.cancel(reason)) return false;
    if (wasCancelled) return true;
    this.#options.log.cutShort(true);
    if (this.#speaking === turn) this.#cancelAtAgent();
    await this.#options.requests.end({ promptId: turn.promptId }, reason);
    return true;
  }

  /** The turn fails whatever the agent says from here on. */
  fail(turn: Turn, error: unknown): void {
    if (turn.failure !== undefined || turn.isAnswered) return;
    turn.failure = error;
    this.#options.log.cutShort(true);
    if (this.#speaking === turn) this.#cancelAtAgent();
    const { requests, deps } = this.#options;
    void requests
      .end({ promptId: turn.promptId }, "turn_ended")
      .catch((reason: unknown) => deps.onBug(reason, "requests of a failed turn"));
  }

  #cancelAtAgent(): void {
    const { adapter, deps } = this.#options;
    const live = adapter.live;
    live?.cancelTurn();
    this.#graceTimer ??= setTimeout(() => {
      void live
        ?.stop({ graceMs: 0 })
        .catch((error: unknown) => deps.onBug(error, "stop after cancel"));
    }, deps.limits.cancelGraceMs);
  }

  async #run(turn: Turn): Promise<void> {
    const end = await this.#deliver(turn).catch((error: unknown) => this.#failed(turn, error));
    clearTimeout(this.#graceTimer);
    this.#graceTimer = undefined;
    this.#speaking = null;
    const spoke = this.#dispatchedTo;
    this.#dispatchedTo = null;
    await this.#finish(turn, end);
    if (end.state === "cancelled" && spoke) await this.#replaceSpent(spoke);
    turn.hasEnded = true;
    if (this.#current === turn) this.#current = null;
    const { deps, log, onIdle } = this.#options;
    deps.turnEnds.tell({ sessionId: log.sessionId, promptId: turn.promptId });
    onIdle();
    void this.goOn();
  }

  /** Some builds of agents are wrong from a cancel on; the next prompt gets another one. */
  async #replaceSpent(spoke: Adapter): Promise<void> {
    const { agent, deps, log } = this.#options;
    const { agentInfo } = spoke.initialized;
    if (!agent?.profile.isSpentByCancel(isJsonObject(agentInfo) ? agentInfo : {})) return;
    await spoke
      .stop()
      .catch((error: unknown) => deps.onBug(error, `stop after a cancel in ${log.sessionId}`));
  }

  /** A prompt took a place in the queue. */
  noteQueued(): void {
    this.#mayBeQueued = true;
    if (!this.#current) void this.goOn();
  }

  /** Starts what is queued, now or when the disk takes it. Never rejects. */
  async goOn(): Promise<void> {
    for (;;) {
      try {
        await this.startNext();
        return;
      } catch (error) {
        if (!(await this.#mayTryAgain(error))) return;
      }
    }
  }

  async #deliver(turn: Turn): Promise<TurnEnd> {
    const { adapter, cost, deps, log } = this.#options;
    const live = await adapter.ensure(turn.signal);
    const leading = await leadingBlocks(
      { ...this.#options, isContinued: adapter.isContinued },
      live,
      turn,
    );
    if (turn.isCancelled) return { state: "cancelled" };
    if (turn.failure !== undefined) throw turn.failure;
    const target = { sessionId: log.sessionId, promptId: turn.promptId, ...deps.owner };
    const isMarked = await markDispatched(deps.db, target, Date.now());
    if (!isMarked) throw new Error(`prompt ${turn.promptId} is not waiting to be sent`);
    if (turn.isCancelled) return { state: "cancelled" };
    if (adapter.isContinued) cost.startOver();
    adapter.isContinued = false;
    this.#speaking = turn;
    this.#dispatchedTo = live;
    const prompt = [...leading, ...turn.content];
    turn.echo = new PromptEcho(prompt);
    const answer = await live.request(
      "session/prompt",
      { sessionId: live.agentSessionId, prompt },
      { signal: this.#gone.signal, onAnswer: () => this.#onAnswer(turn) },
    );
    turn.answer = answer;
    if (turn.isCancelled) return { state: "cancelled" };
    if (turn.failure !== undefined) throw turn.failure;
    return { state: "completed", stopReason: stopReasonOf(answer) };
  }

  /** Runs while the answer comes off the wire: what follows it is not of this turn. */
  #onAnswer(turn: Turn): void {
    turn.markAnswered();
    const isPartial = turn.isCancelled || turn.failure !== undefined;
    this.#options.log.endMessage({ isPartial });
    if (this.#speaking === turn) this.#speaking = null;
  }

  async #failed(turn: Turn, error: unknown): Promise<TurnEnd> {
    if (turn.isCancelled) return { state: "cancelled" };
    const cause = turn.failure ?? error;
    const { adapter, deps } = this.#options;
    const wasDispatched = this.#speaking === turn || turn.isAnswered;
    const failure = await turnFailure(cause, wasDispatched, this.#dispatchedTo ?? adapter.live);
    if (failure.code === "internal") deps.onBug(cause, `turn ${turn.promptId}`);
    return { state: "failed", error: failure };
  }

  async #finish(turn: Turn, end: TurnEnd): Promise<void> {
    const { log, requests } = this.#options;
    log.endMessage({ isPartial: end.state !== "completed" });
    log.cutShort(false);
    const usage = turnUsageText(turn.answer);
    while (!log.isEnded) {
      try {
        requests.release(await this.#commitEnd(turn, end, usage));
        return;
      } catch (error) {
        if (!(await this.#mayTryAgain(error))) return;
      }
    }
  }

  /** The third commit: requests that are still open, `turn_ended` and the prompt's row, together. */
  #commitEnd(turn: Turn, end: TurnEnd, usage: string | null): Promise<string[]> {
    const { deps, log, requests } = this.#options;
    const { promptId } = turn;
    const target = { sessionId: log.sessionId, ...deps.owner };
    const stopReason = end.state === "failed" ? null : stopReasonOfEnd(end);
    const error = end.state === "failed" ? end.error : null;
    const fields = {
      ...(stopReason === null ? {} : { stopReason }),
      ...(error === null ? {} : { error }),
      openToolCalls: turn.toolCalls.open,
    };
    return log.write((sqlite) => {
      const now = Date.now();
      const reason =
        turn.cancelReason ?? (error?.code === "adapter_exited" ? "adapter_exited" : "turn_ended");
      const released = requests.endInWrite(sqlite, { promptId }, reason);
      // A checkpoint that outlived a refused write would come back as an old message.
      dropOpenMessageInWrite(sqlite, log.sessionId);
      const { lastSequence } = appendEventsInWrite(sqlite, target, [
        { type: OWN_EVENT.turnEnded, promptId, fields: JSON.stringify(fields), timestamp: now },
      ]);
      const row = {
        promptId,
        sessionId: log.sessionId,
        state: end.state,
        stopReason,
        error,
        usage,
      };
      if (!finishPromptInWrite(sqlite, { ...row, endSequence: lastSequence }, now)) {
        throw new Error(`prompt ${promptId} had ended before its turn`);
      }
      return released;
    });
  }

  /** A disk that is full or busy is asked again; a bug or a deleted session is not. */
  async #mayTryAgain(error: unknown): Promise<boolean> {
    const { deps, log } = this.#options;
    if (error instanceof AppError && error.code === "session_not_found") return false;
    deps.onBug(error, `turns of session ${log.sessionId}`);
    const isStorage = error instanceof AppError && error.code.startsWith("storage_");
    if (!isStorage || this.#closing.signal.aborted) return false;
    await abortableDelay(FINISH_RETRY_MS, this.#closing.signal);
    return !this.#closing.signal.aborted;
  }
}

function queuedBlocks(prompt: PromptRow): ContentBlock[] {
  return JSON.parse(prompt.queuedContent ?? "[]") as ContentBlock[];
}

function abortableDelay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
