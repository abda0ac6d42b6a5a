/**
 * Permission requests that wait for an operator, and those a policy answers at once.
 *
 * The row is the request; this map only holds the agent's end of the line. A restart therefore
 * loses no decision, only the chance to deliver it.
 */
import {
  appendAuditInWrite,
  countPendingIn,
  decidePermissionInWrite,
  endPermissionsInWrite,
  type Owner,
  openPermissionInWrite,
  type PermissionRow,
  type Sqlite,
} from "@signalbox/db";
import {
  type AcpLimits,
  AppError,
  type JsonValue,
  limitError,
  limitPath,
  type NotPendingReason,
  OWN_EVENT,
  type PermissionPolicy,
  type StoredError,
} from "@signalbox/protocol";
import type { Adapter } from "./adapter.ts";
import { orderedId } from "./ordered-id.ts";
import {
  type PermissionAsk,
  policyChoice,
  readPermissionAsk,
  requestFields,
} from "./permission-request.ts";
import { RPC_CODE } from "./rpc-error.ts";
import type { Caller } from "./runtime.ts";
import type { SessionLog } from "./session-log.ts";
import type { WireRequest } from "./wire.ts";

interface WaitingAsk {
  readonly adapter: Adapter;
  readonly wireRequestId: string;
}

const CANCELLED: JsonValue = { outcome: { outcome: "cancelled" } };

export class PermissionBroker {
  readonly #log: SessionLog;
  readonly #owner: Owner;
  readonly #policy: PermissionPolicy;
  readonly #limits: AcpLimits;
  readonly #waiting = new Map<string, WaitingAsk>();
  readonly #onFailure: (error: unknown) => void;

  constructor(options: {
    log: SessionLog;
    owner: Owner;
    policy: PermissionPolicy;
    limits: AcpLimits;
    /** A request could not be stored; the turn cannot go on. */
    onFailure: (error: unknown) => void;
  }) {
    this.#log = options.log;
    this.#owner = options.owner;
    this.#policy = options.policy;
    this.#limits = options.limits;
    this.#onFailure = options.onFailure;
  }

  /** Requests whose adapter waits for an answer. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** A boundary in the session's output: what was said before stands before it in history. */
  ask(adapter: Adapter, request: WireRequest, promptId: string | null): void {
    this.#log.endMessage();
    const ask = readPermissionAsk(request.params, adapter.redaction);
    if (!ask) {
      adapter.wire.respondError(
        request.id,
        RPC_CODE.invalidParams,
        "options are missing or unusable",
      );
      return;
    }
    const settled =
      this.#policy === "ask"
        ? this.#open(adapter, request.id, ask, promptId)
        : this.#answerByPolicy(this.#policy, adapter, request.id, ask, promptId);
    void settled.catch((error: unknown) => {
      this.#forget(adapter, request.id);
      adapter.wire.respond(request.id, CANCELLED);
      this.#onFailure(error);
    });
  }

  /** Answers at once and leaves no trace: nobody was asked. */
  refuse(adapter: Adapter, request: WireRequest): void {
    this.#log.endMessage();
    adapter.wire.respond(request.id, CANCELLED);
  }

  /**
   * Commits the first answer, then hands it to the adapter that waits.
   *
   * @returns false when the request was no longer pending
   */
  async decide(row: PermissionRow, optionId: string, caller: Caller): Promise<boolean> {
    const waiting = this.#waiting.get(row.requestId);
    if (!waiting || waiting.adapter.isEnding) {
      // Accepted means handed to the adapter that waits, and none does.
      await this.end({ requestId: row.requestId }, "adapter_exited");
      return false;
    }
    const decision = {
      row,
      optionId,
      actor: caller.actor,
      address: caller.address,
      ...this.#owner,
    };
    const isFirst = await this.#log.write((sqlite) =>
      decidePermissionInWrite(sqlite, decision, Date.now()),
    );
    if (isFirst) this.#answer(row.requestId, { outcome: { outcome: "selected", optionId } });
    return isFirst;
  }

  /** Ends requests inside a write of the caller's; {@link PermissionBroker.release} afterwards. */
  endInWrite(
    sqlite: Sqlite,
    scope: { promptId?: string | null; requestId?: string },
    reason: NotPendingReason,
  ): string[] {
    const ended = endPermissionsInWrite(
      sqlite,
      { ...scope, sessionId: this.#log.sessionId, ...this.#owner },
      reason,
      Date.now(),
    );
    return ended.map((row) => row.requestId);
  }

  /** Answers requests that were ended with `cancelled`; a dead adapter hears nothing. */
  release(requestIds: readonly string[]): void {
    for (const requestId of requestIds) this.#answer(requestId, CANCELLED);
  }

  async end(
    scope: { promptId?: string | null; requestId?: string },
    reason: NotPendingReason,
  ): Promise<void> {
    this.release(await this.#log.write((sqlite) => this.endInWrite(sqlite, scope, reason)));
  }

  /** The agent takes back its own request. */
  async withdraw(adapter: Adapter, wireRequestId: string): Promise<void> {
    for (const [requestId, waiting] of this.#waiting) {
      if (waiting.adapter !== adapter || waiting.wireRequestId !== wireRequestId) continue;
      await this.end({ requestId }, "prompt_cancelled");
    }
  }

  #forget(adapter: Adapter, wireRequestId: string): void {
    for (const [requestId, waiting] of this.#waiting) {
      if (waiting.adapter === adapter && waiting.wireRequestId === wireRequestId) {
        this.#waiting.delete(requestId);
      }
    }
  }

  #answer(requestId: string, result: JsonValue): void {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    waiting?.adapter.wire.respond(waiting.wireRequestId, result);
  }

  async #open(
    adapter: Adapter,
    wireRequestId: string,
    ask: PermissionAsk,
    promptId: string | null,
  ): Promise<void> {
    const requestId = orderedId();
    this.#waiting.set(requestId, { adapter, wireRequestId });
    const max = this.#limits.maxPendingPermissionsPerSession;
    const isOpen = await this.#log.write((sqlite) => {
      const pending = countPendingIn(sqlite, this.#log.sessionId);
      if (pending >= max) return false;
      openPermissionInWrite(sqlite, this.#row(requestId, ask, promptId), Date.now());
      return true;
    });
    if (isOpen) return;
    this.#waiting.delete(requestId);
    const error = limitError("limit_exceeded", "too many permission requests are open", {
      limit: limitPath("maxPendingPermissionsPerSession"),
      max,
      actual: max + 1,
    });
    this.#unsatisfied(ask, promptId, error.toStored());
    adapter.wire.respond(wireRequestId, CANCELLED);
  }

  #row(requestId: string, ask: PermissionAsk, promptId: string | null) {
    return {
      requestId,
      sessionId: this.#log.sessionId,
      promptId,
      toolCallId: ask.toolCallId,
      toolCall: JSON.stringify(ask.toolCall),
      options: JSON.stringify(ask.options),
      digest: ask.digest,
      fields: JSON.stringify(requestFields(requestId, ask)),
      ...this.#owner,
    };
  }

  /** Automatic decisions are in the audit log, never in history. */
  async #answerByPolicy(
    policy: Exclude<PermissionPolicy, "ask">,
    adapter: Adapter,
    wireRequestId: string,
    ask: PermissionAsk,
    promptId: string | null,
  ): Promise<void> {
    const choice = policyChoice(policy, ask.options);
    if (!choice) {
      const error = new AppError(
        "permission_policy_unsatisfied",
        `policy ${policy} fits none of the options offered`,
        { details: { offeredKinds: ask.options.map((option) => option.kind) } },
      );
      this.#unsatisfied(ask, promptId, error.toStored());
      adapter.wire.respond(wireRequestId, CANCELLED);
      return;
    }
    await this.#log.write((sqlite) =>
      appendAuditInWrite(
        sqlite,
        {
          actor: { kind: "policy", name: policy },
          address: null,
          action: "permissions.respond",
          sessionId: this.#log.sessionId,
          target: ask.toolCallId,
          outcome: "ok",
          details: { policy, optionId: choice.optionId, digest: ask.digest },
        },
        Date.now(),
      ),
    );
    adapter.wire.respond(wireRequestId, {
      outcome: { outcome: "selected", optionId: choice.optionId },
    });
  }

  #unsatisfied(ask: PermissionAsk, promptId: string | null, error: StoredError): void {
    const toolCallId = ask.toolCallId === null ? {} : { toolCallId: ask.toolCallId };
    this.#log.record({
      type: OWN_EVENT.permissionUnsatisfied,
      promptId,
      fields: JSON.stringify({ ...toolCallId, policy: this.#policy, error }),
    });
  }
}
