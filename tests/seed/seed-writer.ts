/** Writes sessions as the server would have stored them, through the same statements. */
import { randomUUID } from "node:crypto";
import {
  acceptPromptInWrite,
  addCostInWrite,
  appendEventsInWrite,
  createSessionInWrite,
  type Database,
  finishPromptInWrite,
  foldInWrite,
  markDispatched,
  type Owner,
} from "@signalbox/db";
import { type JsonObject, OWN_EVENT, type StoredError } from "@signalbox/protocol";

export interface SeededSession {
  sessionId: string;
  title: string;
  cwd: string;
  createdAtMs: number;
}

/** What an agent says in a turn: an update as ACP names it, and how long after the one before. */
export interface SaidUpdate {
  type: string;
  fields: JsonObject;
  afterMs: number;
}

export interface SeededTurn {
  /** The user's message. */
  text: string;
  atMs: number;
  updates: readonly SaidUpdate[];
  /** Null for a turn that ended well. */
  error: StoredError | null;
  tokens: { inputTokens: number; outputTokens: number };
  /** In US dollars. */
  cost: number;
}

export class SeedWriter {
  readonly #db: Database;
  readonly #owner: Owner;

  constructor(db: Database, owner: Owner) {
    this.#db = db;
    this.#owner = owner;
  }

  async open({ sessionId, title, cwd, createdAtMs }: SeededSession): Promise<void> {
    const session = {
      sessionId,
      agent: "demo",
      cwd,
      additionalDirectories: "[]",
      mcpServers: "[]",
      permissionPolicy: "ask",
      skipOsInstructions: false,
      additionalInstructions: "",
      adopt: null,
      envSealed: null,
      ...this.#owner,
    };
    const negotiated = {
      agentSessionId: randomUUID(),
      capabilities: null,
      agentInfo: null,
      fold: { title },
    };
    await this.#db.write((sqlite) =>
      createSessionInWrite(sqlite, session, negotiated, createdAtMs),
    );
  }

  /** @returns how many events the turn has */
  async addTurn(sessionId: string, turn: SeededTurn): Promise<number> {
    const promptId = randomUUID();
    const target = { sessionId, ...this.#owner };
    await this.#db.write((sqlite) =>
      acceptPromptInWrite(sqlite, this.#prompt(target, promptId, turn), turn.atMs),
    );
    await markDispatched(this.#db, { ...target, promptId }, turn.atMs);
    let atMs = turn.atMs;
    const events = turn.updates.map(({ type, fields, afterMs }) => {
      atMs += afterMs;
      return { type, promptId, fields: JSON.stringify(fields), timestamp: atMs };
    });
    await this.#db.write((sqlite) => {
      appendEventsInWrite(sqlite, target, events);
      addCostInWrite(
        sqlite,
        { sessionId, promptId, timestamp: atMs },
        { amount: turn.cost, currency: "USD" },
      );
      const { lastSequence } = appendEventsInWrite(sqlite, target, [turnEnd(promptId, turn, atMs)]);
      const { inputTokens, outputTokens } = turn.tokens;
      const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      finishPromptInWrite(
        sqlite,
        {
          promptId,
          sessionId,
          state: turn.error === null ? "completed" : "failed",
          stopReason: turn.error === null ? "end_turn" : null,
          error: turn.error,
          endSequence: lastSequence,
          usage: JSON.stringify(usage),
        },
        atMs,
      );
    });
    return turn.updates.length + 2;
  }

  /** The last known use of the context window. */
  async setUsage(sessionId: string, used: number, cost: number): Promise<void> {
    const usage = JSON.stringify({ used, size: 200_000, cost: { amount: cost, currency: "USD" } });
    await this.#db.write((sqlite) => foldInWrite(sqlite, sessionId, { usage }));
  }

  #prompt(target: { sessionId: string } & Owner, promptId: string, turn: SeededTurn) {
    const content = { type: "text", text: turn.text };
    return {
      ...target,
      promptId,
      idempotencyKey: null,
      contentHash: "",
      content: JSON.stringify([content]),
      events: [
        {
          type: "user_message_chunk",
          promptId,
          fields: JSON.stringify({ content, messageId: randomUUID() }),
          timestamp: turn.atMs,
        },
      ],
      whenBusy: "reject" as const,
      maxQueued: 0,
      assertNew: () => undefined,
    };
  }
}

function turnEnd(promptId: string, { error }: SeededTurn, timestamp: number) {
  const end = error === null ? { stopReason: "end_turn" } : { error };
  const fields = JSON.stringify({ ...end, openToolCalls: [] });
  return { type: OWN_EVENT.turnEnded, promptId, fields, timestamp };
}
