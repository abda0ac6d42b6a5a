/** Questions of the agent: how one becomes a row that waits, and what a person's answer becomes. */
import {
  answerQuestionInWrite,
  completeQuestionInWrite,
  type Owner,
  openQuestionInWrite,
  type QuestionRow,
} from "@signalbox/db";
import {
  type JsonObject,
  OWN_EVENT,
  type QuestionAction,
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
  QUESTION_CANCELLED,
  type QuestionAsk,
  questionFields,
  readQuestionAsk,
} from "./question-request.ts";

/** Links whose completion the agent may still tell. */
const MAX_OPEN_LINKS = 1_000;

export class QuestionBroker {
  readonly #log: SessionLog;
  readonly #owner: Owner;
  readonly #requests: OpenRequests;
  readonly #onFailure: (error: unknown) => void;
  /** By the agent's own id of a link, which stays here. */
  readonly #links = new Map<string, { adapter: Adapter; requestId: string }>();

  constructor(options: {
    log: SessionLog;
    owner: Owner;
    requests: OpenRequests;
    /** A question could not be stored; the turn cannot go on. */
    onFailure: (error: unknown) => void;
  }) {
    this.#log = options.log;
    this.#owner = options.owner;
    this.#requests = options.requests;
    this.#onFailure = options.onFailure;
  }

  /** A boundary in the session's output: what was said before stands before it in history. */
  ask(adapter: Adapter, request: WireRequest, promptId: string | null): void {
    this.#log.endMessage();
    const ask = readQuestionAsk(request.params, adapter.redaction);
    if (typeof ask === "string") {
      adapter.wire.respondError(request.id, RPC_CODE.invalidParams, ask);
      return;
    }
    void this.#open(adapter, request.id, ask, promptId).catch((error: unknown) => {
      adapter.wire.respond(request.id, QUESTION_CANCELLED);
      this.#onFailure(error);
    });
  }

  /** Answers at once and leaves no trace: nobody was asked. */
  refuse(adapter: Adapter, request: WireRequest): void {
    this.#log.endMessage();
    adapter.wire.respond(request.id, QUESTION_CANCELLED);
  }

  /**
   * Commits the first answer, then hands it to the adapter that waits. What was typed is stored
   * nowhere.
   *
   * @param content checked against the question's form; null where it has none
   * @returns false when the question was no longer pending
   */
  answer(
    row: QuestionRow,
    { action, content }: { action: QuestionAction; content: JsonObject | null },
    caller: Caller,
  ): Promise<boolean> {
    const { actor, address } = caller;
    const fieldNames = content === null ? null : Object.keys(content);
    const answer = { row, action, fieldNames, actor, address, ...this.#owner };
    const result = content === null ? { action } : { action, content };
    return this.#requests.decide(row.requestId, result, (sqlite) =>
      answerQuestionInWrite(sqlite, answer, Date.now()),
    );
  }

  /** The agent says that what a link was for is done. Ids it never gave, or gave up, are nothing. */
  complete(adapter: Adapter, elicitationId: string): void {
    const link = this.#links.get(elicitationId);
    if (!link || link.adapter !== adapter) return;
    this.#links.delete(elicitationId);
    this.#log.endMessage();
    const target = { sessionId: this.#log.sessionId, requestId: link.requestId, ...this.#owner };
    void this.#log
      .write((sqlite) => completeQuestionInWrite(sqlite, target, Date.now()))
      .catch(this.#onFailure);
  }

  #open(
    adapter: Adapter,
    wireRequestId: string,
    ask: QuestionAsk,
    promptId: string | null,
  ): Promise<void> {
    const requestId = orderedId();
    if (ask.mode === "url") this.#noteLink(ask.elicitationId, { adapter, requestId });
    const waiting = { adapter, wireRequestId, cancelled: QUESTION_CANCELLED };
    return this.#requests.open(requestId, waiting, {
      openInWrite: (sqlite) =>
        openQuestionInWrite(sqlite, this.#row(requestId, ask, promptId), Date.now()),
      refusalOf: (error) => this.#unsatisfied(ask, promptId, error),
    });
  }

  #noteLink(elicitationId: string, link: { adapter: Adapter; requestId: string }): void {
    const [oldest] = this.#links.keys();
    if (oldest !== undefined && this.#links.size >= MAX_OPEN_LINKS) this.#links.delete(oldest);
    this.#links.set(elicitationId, link);
  }

  #row(requestId: string, ask: QuestionAsk, promptId: string | null) {
    return {
      requestId,
      sessionId: this.#log.sessionId,
      promptId,
      message: ask.message,
      mode: ask.mode,
      schema: ask.mode === "form" ? JSON.stringify(ask.schema) : null,
      url: ask.mode === "url" ? ask.url : null,
      fields: JSON.stringify(questionFields(requestId, ask)),
      ...this.#owner,
    };
  }

  #unsatisfied(ask: QuestionAsk, promptId: string | null, error: StoredError) {
    const { message, mode, toolCallId } = ask;
    const about = toolCallId === null ? {} : { toolCallId };
    return {
      type: OWN_EVENT.questionUnsatisfied,
      promptId,
      fields: JSON.stringify({ ...about, message, mode, error }),
    };
  }
}
