/**
 * The adapter of one session: none, starting, or live. Starts are single-flight; a start that
 * nobody waits for any more is given up.
 */
import {
  appendEventsInWrite,
  readSession,
  runningPromptIdIn,
  type SessionRow,
  saveNegotiatedInWrite,
  tellFleetInWrite,
} from "@signalbox/db";
import { type AdapterPresence, AppError, OWN_EVENT } from "@signalbox/protocol";
import type { Adapter, AdapterListener } from "../adapter/adapter.ts";
import { hadConfig, launchAdapter, negotiatedOf, planOf } from "../adapter/adapter-launch.ts";
import {
  AdapterLostError,
  newAgentSession,
  type RefusedSetting,
  type RestoreAttempts,
  type RestoredSession,
  reapplyConfig,
  restoreAgentSession,
} from "../adapter/adapter-session.ts";
import { CrashBudget } from "../adapter/crash-budget.ts";
import type { AdapterSlot } from "../adapter/live-adapters.ts";
import type { SessionLog } from "../output/session-log.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { assertFolders } from "./session-folders.ts";

interface Start {
  readonly promise: Promise<Adapter>;
  readonly abort: AbortController;
  waiters: number;
}

export interface SessionAdapterOptions {
  readonly deps: RuntimeDeps;
  readonly log: SessionLog;
  readonly listener: AdapterListener;
  readonly slot: AdapterSlot;
}

export class SessionAdapter {
  readonly #options: SessionAdapterOptions;
  #adapter: Adapter | null = null;
  #start: Start | null = null;
  #stopping: Promise<void> = Promise.resolve();
  readonly crashes = new CrashBudget();
  /** The agent has forgotten the session and must be told of it with its next prompt. */
  isContinued = false;

  constructor(options: SessionAdapterOptions) {
    this.#options = options;
  }

  get live(): Adapter | null {
    return this.#adapter;
  }

  get presence(): AdapterPresence {
    if (this.#start) return "starting";
    return this.#adapter && !this.#adapter.isEnding ? "live" : "unloaded";
  }

  /**
   * The live adapter, started or restored if need be. Aborting `signal` stops the waiting, and
   * the start too when nobody else waits for it.
   */
  async ensure(signal: AbortSignal): Promise<Adapter> {
    if (this.#adapter && !this.#adapter.isEnding) return this.#adapter;
    const start = this.#joinedStart();
    start.waiters += 1;
    let onAbort = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([start.promise, aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      start.waiters -= 1;
      if (signal.aborted && start.waiters === 0) start.abort.abort(signal.reason);
    }
  }

  /** Takes over the adapter that an open has started before there was a session. */
  adopt(adapter: Adapter): void {
    this.#adapter = adapter;
    adapter.redaction.replaceSessionId(adapter.agentSessionId, this.#options.log.sessionId);
    adapter.attach(this.#options.listener);
  }

  /** The adapter has ended; whoever comes next starts another. */
  forget(adapter: Adapter): void {
    if (this.#adapter !== adapter) return;
    this.#adapter = null;
    this.#options.deps.adapters.release(this.#options.slot);
  }

  /** Ends a start under way and the live adapter; resolves when no process is left. */
  stop(options: { graceMs?: number } = {}): Promise<void> {
    const stopped = this.#stop(options);
    this.#stopping = stopped.catch(() => undefined);
    return stopped;
  }

  async #stop(options: { graceMs?: number }): Promise<void> {
    const start = this.#start;
    if (start) {
      start.abort.abort(
        new AppError("adapter_spawn_failed", "the start was cancelled: the session is unloaded", {
          details: { phase: "start", cancelledBy: "sessions.unload" },
        }),
      );
      await start.promise.then(
        () => undefined,
        () => undefined,
      );
    }
    await this.#adapter?.stop(options);
  }

  /** The start under way; one that was given up is no longer for anybody. */
  #joinedStart(): Start {
    const known = this.#start;
    if (known && !known.abort.signal.aborted) return known;
    this.#start = this.#begin(known?.promise);
    return this.#start;
  }

  /** @param previous a start that was given up and may still be ending its process */
  #begin(previous: Promise<Adapter> | undefined): Start {
    const abort = new AbortController();
    const settled = previous?.catch(() => undefined) ?? Promise.resolve();
    // A stop that comes later waits for this start, which must not wait for it in turn.
    const stopped = this.#stopping;
    const promise = settled
      .then(() => stopped)
      .then(() => this.#launch(abort.signal))
      .finally(() => {
        if (this.#start === start) this.#start = null;
      });
    const start: Start = { promise, abort, waiters: 0 };
    // Whoever waits hears of a failure; a start that was given up has no one.
    promise.catch(() => undefined);
    return start;
  }

  async #launch(signal: AbortSignal): Promise<Adapter> {
    // A start that was given up too late has brought it all the same.
    if (this.#adapter && !this.#adapter.isEnding) return this.#adapter;
    // One that ends on its own, or was stopped by a cancel, is waited for before the next starts.
    await this.#adapter?.ended;
    const { deps, slot, log, listener } = this.#options;
    this.#assertNotHeld();
    await deps.adapters.claim(slot);
    try {
      signal.throwIfAborted();
      const row = await readSession(deps.db, log.sessionId);
      const { context, restored } = await this.#restore(row, signal);
      const { adapter } = context;
      const { reported, refused } = await reapplyConfig(context, hadConfig(row), restored);
      adapter.redaction.replaceSessionId(adapter.agentSessionId, log.sessionId);
      await this.#commit(adapter, { ...restored, ...reported }, refused, row);
      this.isContinued = restored.mode === "continued";
      this.#adapter = adapter;
      adapter.attach(listener);
      deps.fleet.tell({ type: "session_changed", sessionId: log.sessionId });
      return adapter;
    } catch (error) {
      deps.adapters.release(slot);
      if (isCrash(error)) this.crashes.note(Date.now());
      throw error;
    }
  }

  #assertNotHeld(): void {
    const untilMs = this.crashes.heldUntilMs(Date.now());
    if (untilMs === null) return;
    const heldUntil = new Date(untilMs).toISOString();
    throw new AppError(
      "adapter_spawn_failed",
      `the agent crashed too often; held until ${heldUntil}`,
      {
        details: { phase: "held", heldUntil },
        retryable: true,
      },
    );
  }

  /** Each tier that costs an adapter is given up, so there are as many starts as tiers at most. */
  async #restore(row: SessionRow, signal: AbortSignal) {
    const { deps, log } = this.#options;
    const plan = planOf(deps, row, log.stderr);
    await assertFolders(deps, plan.setup);
    const attempts: RestoreAttempts = { tried: new Set(), refusals: [] };
    for (;;) {
      const { adapter, budget } = await launchAdapter(deps, plan, signal);
      if (row.agentSessionId) adapter.redaction.replaceSessionId(row.agentSessionId, log.sessionId);
      const { setup, agent, instructions } = plan;
      const { limits } = deps;
      const context = { adapter, setup, budget, signal, limits, agent, instructions };
      try {
        const restored = row.agentSessionId
          ? await restoreAgentSession(context, row.agentSessionId, attempts)
          : { ...(await newAgentSession(context)), mode: "continued" as const, reason: null };
        return { context, restored };
      } catch (error) {
        if (!(error instanceof AdapterLostError)) throw error;
      }
    }
  }

  async #commit(
    adapter: Adapter,
    restored: RestoredSession,
    refused: readonly RefusedSetting[],
    row: SessionRow,
  ): Promise<void> {
    const { deps, log } = this.#options;
    const now = Date.now();
    const { mode, reason } = restored;
    const said = [
      {
        type: OWN_EVENT.restored,
        fields: JSON.stringify(reason === null ? { mode } : { mode, reason }),
      },
      ...refused.map((setting) => ({
        type: OWN_EVENT.configRefused,
        fields: JSON.stringify(setting),
      })),
    ];
    const target = { sessionId: row.sessionId, ...deps.owner };
    try {
      await log.write((sqlite) => {
        // The turn that wanted the start may have ended while somebody else waits for it.
        const promptId = runningPromptIdIn(sqlite, row.sessionId);
        const events = said.map((event) => ({ ...event, promptId, timestamp: now }));
        appendEventsInWrite(sqlite, target, events);
        saveNegotiatedInWrite(sqlite, row.sessionId, negotiatedOf(adapter, restored));
        tellFleetInWrite(sqlite, { type: "session_changed", sessionId: row.sessionId }, now);
      });
    } catch (error) {
      await adapter.stop({ graceMs: 0 });
      throw error;
    }
  }
}

/** The agent was there and ended before its session was. */
function isCrash(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === "adapter_spawn_failed" &&
    error.details?.exitCode !== undefined &&
    error.details.phase !== "spawn"
  );
}
