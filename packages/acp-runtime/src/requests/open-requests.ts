/**
 * What a session's agent waits for a person to answer: permission requests and questions.
 *
 * The row is the request; this map only holds the agent's end of the line. A restart therefore
 * loses no decision, only the chance to deliver it.
 */
import {
  appendEventsInWrite,
  countPendingIn,
  endPermissionsInWrite,
  endQuestionsInWrite,
  type NewEvent,
  type Owner,
  type RequestScope,
  type Sqlite,
} from "@signalbox/db";
import {
  type AcpLimits,
  type JsonValue,
  limitError,
  limitPath,
  type NotPendingReason,
  type StoredError,
} from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import type { SessionLog } from "../output/session-log.ts";

interface WaitingAgent {
  readonly adapter: Adapter;
  readonly wireRequestId: string;
  /** What the agent hears when nobody answers. */
  readonly cancelled: JsonValue;
}

type Scope = Omit<RequestScope, "sessionId">;

export class OpenRequests {
  readonly #log: SessionLog;
  readonly #owner: Owner;
  readonly #limits: AcpLimits;
  readonly #waiting = new Map<string, WaitingAgent>();

  constructor(options: { log: SessionLog; owner: Owner; limits: AcpLimits }) {
    this.#log = options.log;
    this.#owner = options.owner;
    this.#limits = options.limits;
  }

  /** Requests whose adapter waits for an answer. */
  get count(): number {
    return this.#waiting.size;
  }

  /**
   * Commits a new request, or the event that says why there is none: too many wait already. Both
   * stand where the agent asked, before the end of its turn.
   *
   * An agent whose request is refused hears it at once.
   */
  async open(
    requestId: string,
    waiting: WaitingAgent,
    commit: {
      openInWrite: (sqlite: Sqlite) => void;
      refusalOf: (error: StoredError) => Omit<NewEvent, "timestamp">;
    },
  ): Promise<void> {
    // Before the commit: an answer may come as soon as the request can be read.
    this.#waiting.set(requestId, waiting);
    let isOpen = false;
    try {
      isOpen = await this.#log.write((sqlite) => {
        const count = countPendingIn(sqlite, this.#log.sessionId);
        if (count < this.#limits.maxPendingPermissionsPerSession) {
          commit.openInWrite(sqlite);
          return true;
        }
        const event = { ...commit.refusalOf(this.#tooMany(count + 1)), timestamp: Date.now() };
        const target = { sessionId: this.#log.sessionId, ...this.#owner };
        appendEventsInWrite(sqlite, target, [event]);
        return false;
      });
    } finally {
      if (!isOpen) this.#waiting.delete(requestId);
    }
    if (!isOpen) waiting.adapter.wire.respond(waiting.wireRequestId, waiting.cancelled);
  }

  #tooMany(actual: number): StoredError {
    return limitError("limit_exceeded", "too many requests wait for an answer", {
      limit: limitPath("maxPendingPermissionsPerSession"),
      max: this.#limits.maxPendingPermissionsPerSession,
      actual,
    }).toStored();
  }

  /**
   * Commits the first answer, then hands it to the adapter that waits.
   *
   * @param commitInWrite tells whether the request was still pending
   * @returns false when it was not
   */
  async decide(
    requestId: string,
    result: JsonValue,
    commitInWrite: (sqlite: Sqlite) => boolean,
  ): Promise<boolean> {
    const waiting = this.#waiting.get(requestId);
    if (!waiting || waiting.adapter.isEnding) {
      // Accepted means handed to the adapter that waits, and none does.
      await this.end({ requestId }, "adapter_exited");
      return false;
    }
    const isFirst = await this.#log.write(commitInWrite);
    if (isFirst) this.#answer(requestId, result);
    return isFirst;
  }

  /** Ends requests inside a write of the caller's; {@link OpenRequests.release} afterwards. */
  endInWrite(sqlite: Sqlite, scope: Scope, reason: NotPendingReason): string[] {
    const target = { ...scope, sessionId: this.#log.sessionId, ...this.#owner };
    const now = Date.now();
    return [
      ...endPermissionsInWrite(sqlite, target, reason, now),
      ...endQuestionsInWrite(sqlite, target, reason, now),
    ].map((row) => row.requestId);
  }

  /** Answers requests that were ended as cancelled; a dead adapter hears nothing. */
  release(requestIds: readonly string[]): void {
    for (const requestId of requestIds) {
      const waiting = this.#waiting.get(requestId);
      if (waiting) this.#answer(requestId, waiting.cancelled);
    }
  }

  async end(scope: Scope, reason: NotPendingReason): Promise<void> {
    this.release(await this.#log.write((sqlite) => this.endInWrite(sqlite, scope, reason)));
  }

  /** The agent takes back its own request. */
  async withdraw(adapter: Adapter, wireRequestId: string): Promise<void> {
    for (const [requestId, waiting] of this.#waiting) {
      if (waiting.adapter !== adapter || waiting.wireRequestId !== wireRequestId) continue;
      await this.end({ requestId }, "prompt_cancelled");
    }
  }

  #answer(requestId: string, result: JsonValue): void {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    waiting?.adapter.wire.respond(waiting.wireRequestId, result);
  }
}
