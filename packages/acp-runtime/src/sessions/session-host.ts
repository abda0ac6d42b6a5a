/** One session in memory: its log, its adapter, its turns and what waits for an answer. */
import {
  cancelQueuedPromptsInWrite,
  readSession,
  type SessionRow,
  tellFleetInWrite,
} from "@signalbox/db";
import { AppError, type JsonObject, limitError, limitPath, OWN_EVENT } from "@signalbox/protocol";
import type { Adapter, AdapterEnd, AdapterListener } from "../adapter/adapter.ts";
import type { AdapterSlot } from "../adapter/live-adapters.ts";
import { instructionsOf } from "../agents/instructions.ts";
import { OutputOwner } from "../output/output-owner.ts";
import { Redaction } from "../output/redaction.ts";
import { SessionLog } from "../output/session-log.ts";
import { takeUpdate } from "../output/update-intake.ts";
import { OpenRequests } from "../requests/open-requests.ts";
import { PermissionBroker } from "../requests/permission-broker.ts";
import { QuestionBroker } from "../requests/question-broker.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { SessionTurns } from "../turns/session-turns.ts";
import type { CancelReason } from "../turns/turn.ts";
import { SessionCost } from "../turns/turn-usage.ts";
import type { WireRequest, WireUpdate } from "../wire/wire.ts";
import { SessionAdapter } from "./session-adapter.ts";
import { objectOf } from "./session-view.ts";

export class SessionHost implements AdapterSlot {
  readonly sessionId: string;
  readonly agent: string;
  readonly incarnation: string;
  readonly log: SessionLog;
  readonly requests: OpenRequests;
  readonly permissions: PermissionBroker;
  readonly questions: QuestionBroker;
  readonly adapter: SessionAdapter;
  readonly turns: SessionTurns;
  readonly #deps: RuntimeDeps;
  readonly #cost: SessionCost;
  readonly #outputOwner = new OutputOwner();
  #lastUsedAtMs = Date.now();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(deps: RuntimeDeps, row: SessionRow) {
    this.#deps = deps;
    this.sessionId = row.sessionId;
    this.agent = row.agent;
    this.incarnation = row.incarnation;
    this.log = new SessionLog({
      db: deps.db,
      owner: deps.owner,
      sessionId: row.sessionId,
      sequence: row.latestSequence,
      now: Date.now,
      limits: deps.limits,
      onPruneFailure: (error) => deps.onBug(error, `history of session ${row.sessionId}`),
      onFailure: (error) => this.#onStorageFailure(error),
    });
    const { log } = this;
    const { owner, limits } = deps;
    const onFailure = (error: unknown) => this.#onStorageFailure(error);
    this.requests = new OpenRequests({ log, owner, limits });
    const { requests } = this;
    const policy = row.permissionPolicy;
    this.permissions = new PermissionBroker({ log, owner, policy, requests, onFailure });
    this.questions = new QuestionBroker({ log, owner, requests, onFailure });
    this.adapter = new SessionAdapter({
      deps,
      log: this.log,
      listener: this.#listener(),
      slot: this,
    });
    this.#cost = new SessionCost(objectOf(row.usage));
    this.turns = new SessionTurns({
      deps,
      cost: this.#cost,
      log: this.log,
      requests,
      adapter: this.adapter,
      agent: deps.catalogue.find(row.agent),
      instructions: instructionsOf(deps, {
        skipOsInstructions: row.skipOsInstructions !== 0,
        additionalInstructions: row.additionalInstructions,
      }),
      onIdle: () => this.touch(),
    });
  }

  get lastUsedAtMs(): number {
    return this.#lastUsedAtMs;
  }

  get isIdle(): boolean {
    const isLive = this.adapter.presence === "live";
    return isLive && this.turns.current === null && this.requests.count === 0;
  }

  get agentSessionId(): string | null {
    return this.adapter.live?.agentSessionId ?? null;
  }

  /** Used just now: idle unload counts from here. */
  touch(): void {
    this.#lastUsedAtMs = Date.now();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.adapter.presence !== "live") return;
      if (!this.isIdle) {
        this.touch();
        return;
      }
      void this.unloadIdle().catch((error: unknown) => this.#deps.onBug(error, "idle unload"));
    }, this.#deps.limits.idleUnloadMs);
    this.#idleTimer.unref();
  }

  /** As the agent that runs reported them, or the one before; null before the first. */
  async agentCapabilities(): Promise<JsonObject | null> {
    const { live } = this.adapter;
    if (live) return live.agentCapabilities;
    return objectOf((await readSession(this.#deps.db, this.sessionId)).capabilities);
  }

  async unloadIdle(): Promise<void> {
    await this.adapter.stop();
  }

  /**
   * Cancels the running turn and, where asked, every queued one; ends requests outside a turn;
   * then ends the adapter. Everything stored stays.
   */
  async unload(reason: CancelReason, options: { keepsQueue: boolean }): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.turns.hold();
    try {
      if (!options.keepsQueue) await this.cancelQueued(null);
      for (let turn = this.turns.current; turn; turn = this.turns.current) {
        await this.turns.cancel(turn, reason);
        await turn.ended;
        // What was queued while the turn ended is of the same past.
        if (!options.keepsQueue) await this.cancelQueued(null);
      }
      await this.requests.end({}, reason);
    } finally {
      // Also when the disk refuses: rows can be closed by the next start, processes cannot.
      await this.adapter.stop();
      if (!options.keepsQueue) {
        this.turns.release();
        void this.turns.goOn();
      }
    }
  }

  /** @returns whether any queued prompt was ended */
  async cancelQueued(promptId: string | null): Promise<boolean> {
    const target = { sessionId: this.sessionId, promptId, ...this.#deps.owner };
    const ended = await this.log.write((sqlite) =>
      cancelQueuedPromptsInWrite(sqlite, target, Date.now()),
    );
    for (const endedId of ended) {
      this.#deps.turnEnds.tell({ sessionId: this.sessionId, promptId: endedId });
    }
    return ended.length > 0;
  }

  /** Nothing of the session is left: timers end, followers and waiters are told. */
  end(): void {
    this.stop();
    this.log.end();
    this.#deps.turnEnds.tellAll(this.sessionId);
  }

  /** The server stops: nothing of memory goes on. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    this.turns.abandon();
    this.log.stop();
  }

  #listener(): AdapterListener {
    return {
      onUpdate: (update) => this.#onUpdate(update),
      onPermissionRequest: (request) => this.#onAsk(this.permissions, request),
      onQuestion: (request) => this.#onAsk(this.questions, request),
      onQuestionCompleted: (elicitationId) => {
        const { live } = this.adapter;
        if (live) this.questions.complete(live, elicitationId);
      },
      onRequestCancelled: (requestId) => {
        const { live } = this.adapter;
        if (!live) return;
        void this.requests
          .withdraw(live, requestId)
          .catch((error: unknown) => this.#onStorageFailure(error));
      },
      onEnd: (end) => this.#onAdapterEnd(end),
    };
  }

  #onAsk(broker: PermissionBroker | QuestionBroker, request: WireRequest): void {
    const { live } = this.adapter;
    const turn = this.turns.speaking;
    if (!live) return;
    // The answer to whatever a turn asks after its cancel is known.
    if (turn?.isOver) broker.refuse(live, request);
    else broker.ask(live, request, turn?.promptId ?? null);
  }

  #onUpdate(update: WireUpdate): void {
    if (this.#isOfAnotherSession(update)) return;
    const turn = this.turns.speaking;
    if (turn?.echo.includes(update.update)) return;
    const live = this.adapter.live;
    const redaction = live?.redaction ?? new Redaction({});
    const promptId = this.#outputOwner.ownerOf(update.update, turn?.promptId ?? null);
    const intake = { log: this.log, redaction, cost: this.#cost };
    const shown = takeUpdate(intake, update, promptId);
    if (promptId !== null) turn?.toolCalls.take(shown);
    this.#guardOutput(update);
    if (live && this.log.isUnderPressure) this.#holdBack(live);
  }

  /**
   * An update under an id that is unknown is this session's all the same, since agents have
   * sessions of their own below it. One under the id of another session here would change the
   * wrong history.
   */
  #isOfAnotherSession({ agentSessionId }: WireUpdate): boolean {
    const isOwn = agentSessionId === this.agentSessionId;
    if (isOwn || !this.#deps.adapters.isOfAnother(this, agentSessionId)) return false;
    const what = new Error("an adapter spoke for the session of another one; it was not heard");
    this.#deps.onBug(what, `session ${this.sessionId}`);
    return true;
  }

  /** A turn that says too much fails; its adapter is cancelled, then stopped. */
  #guardOutput(update: WireUpdate): void {
    const turn = this.turns.speaking;
    if (!turn) return;
    turn.outputBytes += Buffer.byteLength(update.raw);
    const { maxTurnOutputBytes, maxMessageBytes } = this.#deps.limits;
    const tooMuch = (
      limit: "maxTurnOutputBytes" | "maxMessageBytes",
      max: number,
      actual: number,
    ) =>
      this.turns.fail(
        turn,
        limitError(
          "limit_exceeded",
          `the agent's output exceeds ${limitPath(limit)} (${max} bytes)`,
          {
            limit: limitPath(limit),
            max,
            actual,
          },
        ),
      );
    if (turn.outputBytes > maxTurnOutputBytes) {
      tooMuch("maxTurnOutputBytes", maxTurnOutputBytes, turn.outputBytes);
    } else if (this.log.openBytes > maxMessageBytes) {
      tooMuch("maxMessageBytes", maxMessageBytes, this.log.openBytes);
    }
  }

  /** The agent waits while the disk catches up. */
  #holdBack(adapter: Adapter): void {
    adapter.wire.pause();
    this.log.whenRelieved(() => adapter.wire.resume());
  }

  #onAdapterEnd(end: AdapterEnd): void {
    const { live } = this.adapter;
    if (live) this.adapter.forget(live);
    this.#outputOwner.reset();
    this.log.stderr.flush();
    if (!end.isExpected) this.adapter.crashes.note(Date.now());
    const turn = this.turns.speaking;
    const promptId = turn?.promptId ?? null;
    // Whatever ended it, also a stop: nobody will say the rest.
    this.log.endMessage({ isPartial: true });
    if (!end.isExpected) {
      this.log.record({
        type: OWN_EVENT.adapterExited,
        promptId,
        fields: JSON.stringify({
          exitCode: end.code,
          signal: end.signal,
          stderrTail: end.stderrTail,
          restart: "not_attempted",
        }),
      });
    }
    void this.#tellOfEnd(end).catch((error: unknown) => this.#onStorageFailure(error));
  }

  /** The turn ends its own requests; those outside a turn end here. */
  async #tellOfEnd(end: AdapterEnd): Promise<void> {
    if (this.log.isEnded) return;
    const { sessionId } = this;
    const detail = { exitCode: end.code, signal: end.signal, expected: end.isExpected };
    const released = await this.log.write((sqlite) => {
      const now = Date.now();
      tellFleetInWrite(sqlite, { type: "adapter_exited", sessionId, detail }, now);
      tellFleetInWrite(sqlite, { type: "session_changed", sessionId }, now);
      const reason = end.isExpected ? "session_unloaded" : "adapter_exited";
      return this.requests.endInWrite(sqlite, { promptId: null }, reason);
    });
    this.requests.release(released);
  }

  #onStorageFailure(error: unknown): void {
    if (error instanceof AppError && error.code === "session_not_found") return;
    const turn = this.turns.current;
    if (turn) this.turns.fail(turn, error);
    else this.#deps.onBug(error, `session ${this.sessionId}`);
  }
}
