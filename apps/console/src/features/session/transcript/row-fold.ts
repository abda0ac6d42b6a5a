/**
 * Folds stored events, in order of their sequences, into rows.
 *
 * Rows are replaced, never changed, so a row that an event does not touch stays the same object.
 * The fold knows no time and no network: equal events in equal order give equal rows.
 */
import type { DurableEvent } from "@signalbox/protocol";
import { asNumber, asObject, asObjects, asText } from "../content/json-read.ts";
import { NO_FACTS, type SessionFacts, withTurn } from "../session-facts.ts";
import { emptyToolRow, withToolUpdate } from "../tools/tool-row.ts";
import { speechKindOf } from "./live-text.ts";
import { noticeOf } from "./notice.ts";
import { answered, asked } from "./permission-row.ts";
import { questionAsked, questionEnded } from "./question-row.ts";
import { sameValue } from "./same-value.ts";
import { asStoredError } from "./stored-error.ts";
import {
  isFinalStatus,
  OWN,
  type PermissionRow,
  type PlanRow,
  type QuestionRow,
  type Row,
  type SpeechRow,
  type ToolRow,
  type UserRow,
} from "./transcript-rows.ts";

export class RowFold {
  readonly #rows: Row[] = [];
  readonly #at = new Map<string, number>();
  readonly #tools = new Map<string, string>();
  readonly #startedAt = new Map<string, string>();
  readonly #keyOf: ReadonlyMap<number, string>;
  #planKey: string | null = null;
  facts: SessionFacts = NO_FACTS;

  /** `keyOf` gives the key of a row whose first event has that sequence, where it had one before. */
  constructor(keyOf: ReadonlyMap<number, string>) {
    this.#keyOf = keyOf;
  }

  get rows(): Row[] {
    return [...this.#rows];
  }

  /** Keeps the objects of `before` for rows that came out equal, so that they render once. */
  reuse(before: ReadonlyMap<string, Row>): void {
    for (const row of this.#rows) {
      const old = before.get(row.key);
      if (old && sameValue(old, row)) this.#replace(old);
    }
  }

  hasUserMessage(promptId: string): boolean {
    return this.#startedAt.has(promptId);
  }

  add(event: DurableEvent): void {
    this.facts = withTurn(this.facts, event);
    const speech = speechKindOf(event.type);
    if (speech === null) this.#sort(event);
    else this.#speak(event, speech);
  }

  #sort(event: DurableEvent): void {
    switch (event.type) {
      case "user_message_chunk":
        this.#addUserBlock(event);
        break;
      case "tool_call":
      case "tool_call_update":
        this.#addTool(event);
        break;
      case "plan":
        this.#addPlan(event);
        break;
      case "permission_request":
      case "permission_response":
        this.#addPermission(event);
        break;
      case OWN.questionRequest:
      case OWN.questionResponse:
        this.#addQuestion(event);
        break;
      case OWN.turnEnded:
        this.#endTurn(event);
        break;
      case OWN.promptQueued:
        this.#queue(event);
        break;
      case OWN.adapterExited:
        this.#addCrash(event);
        break;
      default:
        this.#addNotice(event);
        break;
    }
  }

  #put(row: Row): void {
    this.#at.set(row.key, this.#rows.length);
    this.#rows.push(row);
  }

  #get<K extends Row["kind"]>(key: string, kind: K): Extract<Row, { kind: K }> | null {
    const row = this.#rows[this.#at.get(key) ?? -1];
    return row && isKind(row, kind) ? row : null;
  }

  #replace(row: Row): void {
    const at = this.#at.get(row.key);
    if (at !== undefined) this.#rows[at] = row;
  }

  #base(event: DurableEvent, key = `e:${event.sequence}`) {
    const { sequence, timestamp, promptId } = event;
    return { key: this.#keyOf.get(sequence) ?? key, sequence, timestamp, promptId };
  }

  #speak(event: DurableEvent, kind: SpeechRow["kind"]): void {
    const block = asObject(event.content);
    const messageId = asText(event.messageId);
    const partial = asObject(event._meta)?.["signalbox/partial"] === true;
    const last = this.#rows.at(-1);
    if (last?.kind === kind && continues(last, event, messageId)) {
      const blocks = block ? [...last.blocks, block] : last.blocks;
      this.#replace({ ...last, blocks, partial: last.partial || partial });
      return;
    }
    const blocks = block ? [block] : [];
    this.#put({ kind, ...this.#base(event), blocks, messageId, streaming: false, partial });
  }

  #addUserBlock(event: DurableEvent): void {
    const block = asObject(event.content);
    const messageId = asText(event.messageId);
    const last = this.#rows.at(-1);
    if (last?.kind === "user" && continues(last, event, messageId)) {
      this.#replace({ ...last, blocks: block ? [...last.blocks, block] : last.blocks });
      return;
    }
    const { promptId } = event;
    if (promptId !== null && !this.#startedAt.has(promptId)) {
      this.#startedAt.set(promptId, event.timestamp);
      this.#settleQueued(promptId, "started");
    }
    const row: UserRow = {
      kind: "user",
      ...this.#base(event),
      blocks: block ? [block] : [],
      messageId,
      imported: asObject(event._meta)?.["signalbox/imported"] === true,
      delivery: "stored",
    };
    this.#put(row);
  }

  #addTool(event: DurableEvent): void {
    const toolCallId = asText(event.toolCallId);
    if (toolCallId === null) {
      this.#addUnknown(event);
      return;
    }
    const row = this.#tool(event.promptId, toolCallId) ?? this.#announce(event, toolCallId);
    this.#replace(withToolUpdate(row, event));
  }

  #announce(event: DurableEvent, toolCallId: string): ToolRow {
    const base = this.#base(event);
    const row = emptyToolRow(event, base.key, toolCallId);
    this.#put(row);
    this.#tools.set(nameOfTool(event.promptId, toolCallId), row.key);
    this.#tools.set(toolCallId, row.key);
    return row;
  }

  /** Ids are unique in a turn only; an update outside any turn speaks of the latest call so named. */
  #tool(promptId: string | null, toolCallId: string): ToolRow | null {
    const name = promptId === null ? toolCallId : nameOfTool(promptId, toolCallId);
    const key = this.#tools.get(name);
    return key === undefined ? null : this.#get(key, "tool");
  }

  #addPlan(event: DurableEvent): void {
    const entries = planEntriesOf(event);
    const last = this.#planKey === null ? null : this.#get(this.#planKey, "plan");
    if (last && last.promptId === event.promptId) {
      this.#replace({ ...last, entries });
      return;
    }
    if (last) this.#replace({ ...last, superseded: true });
    const row: PlanRow = { kind: "plan", ...this.#base(event), entries, superseded: false };
    this.#planKey = row.key;
    this.#put(row);
  }

  #addPermission(event: DurableEvent): void {
    const requestId = asText(event.requestId);
    if (requestId === null) {
      this.#addUnknown(event);
      return;
    }
    const key = `permission:${requestId}`;
    const known = this.#get(key, "permission");
    const row: PermissionRow = known ?? {
      kind: "permission",
      ...this.#base(event),
      key,
      requestId,
      toolCall: null,
      options: [],
      digest: "",
      response: null,
    };
    const next = event.type === "permission_request" ? asked(row, event) : answered(row, event);
    if (known) this.#replace(next);
    else this.#put(next);
  }

  #addQuestion(event: DurableEvent): void {
    const requestId = asText(event.requestId);
    if (requestId === null) {
      this.#addUnknown(event);
      return;
    }
    const key = `question:${requestId}`;
    const known = this.#get(key, "question");
    const row: QuestionRow = known ?? {
      kind: "question",
      ...this.#base(event),
      key,
      requestId,
      message: null,
      mode: "form",
      schema: null,
      url: null,
      response: null,
    };
    const next =
      event.type === OWN.questionRequest ? questionAsked(row, event) : questionEnded(row, event);
    if (known) this.#replace(next);
    else this.#put(next);
  }

  #endTurn(event: DurableEvent): void {
    const { promptId } = event;
    const openToolCalls = Array.isArray(event.openToolCalls)
      ? event.openToolCalls.filter((id) => typeof id === "string")
      : [];
    for (const toolCallId of openToolCalls) {
      const row = this.#tool(promptId, toolCallId);
      if (row && !isFinalStatus(row.status)) {
        this.#replace({ ...row, interrupted: true, endedAt: event.timestamp });
      }
    }
    if (promptId !== null) this.#settleQueued(promptId, "ended");
    this.#put({
      kind: "turn_end",
      ...this.#base(event),
      stopReason: asText(event.stopReason),
      error: asStoredError(event.error),
      openToolCalls,
      startedAt: promptId === null ? null : (this.#startedAt.get(promptId) ?? null),
    });
  }

  #queue(event: DurableEvent): void {
    const promptId = asText(event.promptId);
    const key = `queued:${promptId ?? event.sequence}`;
    const position = asNumber(event.position);
    this.#put({ kind: "queued", ...this.#base(event), key, position, state: "waiting" });
  }

  #settleQueued(promptId: string, state: "started" | "ended"): void {
    const row = this.#get(`queued:${promptId}`, "queued");
    if (row?.state === "waiting") this.#replace({ ...row, state });
  }

  #addCrash(event: DurableEvent): void {
    this.#put({
      kind: "crash",
      ...this.#base(event),
      exitCode: asNumber(event.exitCode),
      signal: asText(event.signal),
      stderrTail: asText(event.stderrTail) ?? "",
    });
  }

  #addNotice(event: DurableEvent): void {
    const told = noticeOf(event, this.facts);
    if (told === null) {
      this.#addUnknown(event);
      return;
    }
    this.facts = told.facts;
    if (told.notice) this.#put({ kind: "notice", ...this.#base(event), ...told.notice });
  }

  #addUnknown(event: DurableEvent): void {
    this.#put({ kind: "unknown", ...this.#base(event), type: event.type, raw: event });
  }
}

function isKind<K extends Row["kind"]>(row: Row, kind: K): row is Extract<Row, { kind: K }> {
  return row.kind === kind;
}

function nameOfTool(promptId: string | null, toolCallId: string): string {
  return `${promptId ?? ""}\n${toolCallId}`;
}

/** Blocks of one message follow each other; the same id after something else is a new row. */
function continues(last: UserRow | SpeechRow, event: DurableEvent, messageId: string | null) {
  return messageId !== null && last.messageId === messageId && last.promptId === event.promptId;
}

function planEntriesOf(event: DurableEvent): PlanRow["entries"] {
  return asObjects(event.entries).map((entry) => ({
    content: asText(entry.content) ?? "",
    status: asText(entry.status) ?? "pending",
    priority: asText(entry.priority),
  }));
}
