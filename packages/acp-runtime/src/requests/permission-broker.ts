/** Permission requests of the agent: those that wait for an operator, and those a policy answers. */
import {
  appendAuditInWrite,
  decidedDetails,
  decidePermissionInWrite,
  type Owner,
  openPermissionInWrite,
  type PermissionRow,
} from "@signalbox/db";
import {
  AppError,
  type JsonValue,
  OWN_EVENT,
  type PermissionPolicy,
  type StoredError,
} from "@signalbox/protocol";
import type { Adapter } from "../adapter/adapter.ts";
import type { SessionLog } from "../output/session-log.ts";
import type { Caller } from "../queries.ts";
import { orderedId } from "../sessions/ordered-id.ts";
import { RPC_CODE } from "../wire/rpc-error.ts";
import type { WireRequest } from "../wire/wire.ts";
import type { OpenRequests } from "./open-requests.ts";
import {
  type PermissionAsk,
  policyChoice,
  readPermissionAsk,
  requestFields,
} from "./permission-request.ts";

const CANCELLED: JsonValue = { outcome: { outcome: "cancelled" } };

export class PermissionBroker {
  readonly #log: SessionLog;
  readonly #owner: Owner;
  readonly #policy: PermissionPolicy;
  readonly #requests: OpenRequests;
  readonly #onFailure: (error: unknown) => void;

  constructor(options: {
    log: SessionLog;
    owner: Owner;
    policy: PermissionPolicy;
    requests: OpenRequests;
    /** A request could not be stored; the turn cannot go on. */
    onFailure: (error: unknown) => void;
  }) {
    this.#log = options.log;
    this.#owner = options.owner;
    this.#policy = options.policy;
    this.#requests = options.requests;
    this.#onFailure = options.onFailure;
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
  decide(row: PermissionRow, optionId: string, caller: Caller): Promise<boolean> {
    const { actor, address } = caller;
    const decision = { row, optionId, actor, address, ...this.#owner };
    const result = { outcome: { outcome: "selected", optionId } };
    return this.#requests.decide(row.requestId, result, (sqlite) =>
      decidePermissionInWrite(sqlite, decision, Date.now()),
    );
  }

  #open(
    adapter: Adapter,
    wireRequestId: string,
    ask: PermissionAsk,
    promptId: string | null,
  ): Promise<void> {
    const requestId = orderedId();
    const waiting = { adapter, wireRequestId, cancelled: CANCELLED };
    return this.#requests.open(requestId, waiting, {
      openInWrite: (sqlite) =>
        openPermissionInWrite(sqlite, this.#row(requestId, ask, promptId), Date.now()),
      refusalOf: (error) => this.#unsatisfied(ask, promptId, error),
    });
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
      this.#log.record(this.#unsatisfied(ask, promptId, error.toStored()));
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
          details: {
            policy,
            ...decidedDetails({ ...ask, optionId: choice.optionId }),
            digest: ask.digest,
          },
        },
        Date.now(),
      ),
    );
    adapter.wire.respond(wireRequestId, {
      outcome: { outcome: "selected", optionId: choice.optionId },
    });
  }

  #unsatisfied(ask: PermissionAsk, promptId: string | null, error: StoredError) {
    const toolCallId = ask.toolCallId === null ? {} : { toolCallId: ask.toolCallId };
    return {
      type: OWN_EVENT.permissionUnsatisfied,
      promptId,
      fields: JSON.stringify({ ...toolCallId, policy: this.#policy, error }),
    };
  }
}
