/**
 * One prompt being answered: what a script may do, and nothing else.
 *
 * Every send and every pause checks the turn's signal first, so a cancelled turn stops at
 * its next step; the error that this throws means "cancelled" to whoever runs the turn.
 */
import { randomUUID } from "node:crypto";
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { MODEL_FIGURES } from "./config-options.ts";
import { pause } from "./pace.ts";
import type { StoredSession } from "./stored-session.ts";
import { chunksOf } from "./text.ts";
import { record } from "./transcript.ts";

export interface TurnContext {
  readonly session: StoredSession;
  readonly client: AgentContext;
  readonly clientCapabilities: ClientCapabilities;
  readonly delayMs: number;
  /** What the user sent, block by block. */
  readonly prompt: readonly ContentBlock[];
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Aborts when the session closes or the client goes away. */
  readonly closed: AbortSignal;
}

type Spoken = "agent_message_chunk" | "agent_thought_chunk";

export class Turn {
  readonly context: TurnContext;
  readonly session: StoredSession;
  readonly signal: AbortSignal;
  /** Characters spoken since the last usage report, shared by all variants of this turn. */
  readonly #spoken: { characters: number };

  constructor(context: TurnContext, spoken = { characters: 0 }) {
    this.context = context;
    this.#spoken = spoken;
    this.session = context.session;
    this.signal = context.signal;
  }

  /** The same turn for a script that ignores cancel: only the end of the session stops it. */
  stubborn(): Turn {
    return new Turn({ ...this.context, signal: this.context.closed }, this.#spoken);
  }

  /** The same turn at another pace. */
  withDelay(delayMs: number): Turn {
    return new Turn({ ...this.context, delayMs }, this.#spoken);
  }

  /** Waits `count` times the delay between two chunks. */
  beats(count: number): Promise<void> {
    return pause(this.context.delayMs * count, this.signal);
  }

  async send(update: SessionUpdate): Promise<void> {
    this.signal.throwIfAborted();
    record(this.session.transcript, update);
    const { sessionId } = this.session;
    await this.context.client.notify("session/update", { sessionId, update });
  }

  /** Sends an update that the protocol does not know; it is not remembered. */
  async sendOdd(update: { sessionUpdate: string; [field: string]: unknown }): Promise<void> {
    this.signal.throwIfAborted();
    const method: string = "session/update";
    await this.context.client.notify(method, { sessionId: this.session.sessionId, update });
  }

  /** Speaks one message, a few words at a time. */
  say(text: string): Promise<void> {
    return this.stream("agent_message_chunk", chunksOf(text), 1);
  }

  /** Shows a thought, unless the thought level is off. */
  async think(text: string): Promise<void> {
    if (this.session.config.thoughtLevel === "off") return;
    await this.stream("agent_thought_chunk", chunksOf(text), 1);
  }

  /** Sends the pieces as chunks of one message, `beatsBetween` delays apart. */
  async stream(kind: Spoken, pieces: Iterable<string>, beatsBetween: number): Promise<void> {
    const messageId = randomUUID();
    for (const text of pieces) {
      this.#spoken.characters += text.length;
      await this.send({ sessionUpdate: kind, messageId, content: { type: "text", text } });
      await this.beats(beatsBetween);
    }
  }

  /** Shows the steps of a plan with the first `done` completed and the next in progress. */
  async plan(steps: readonly string[], done: number): Promise<void> {
    const entries = steps.map((content, index): PlanEntry => {
      const status = index < done ? "completed" : index === done ? "in_progress" : "pending";
      return { content, priority: index === 0 ? "high" : "medium", status };
    });
    await this.send({ sessionUpdate: "plan", entries });
  }

  /** Adds what was said since the last report to the session's usage and reports the sum. */
  async reportUsage(): Promise<void> {
    const { microUsdPerToken, size } = MODEL_FIGURES[this.session.config.model];
    const asked = JSON.stringify(this.context.prompt).length;
    // Four characters a token is the usual rule of thumb; the extra ones stand for tool output.
    const tokens = Math.ceil((asked + this.#spoken.characters) / 4) + 120;
    this.#spoken.characters = 0;
    const { usage } = this.session;
    usage.usedTokens = Math.min(size, usage.usedTokens + tokens);
    usage.costMicroUsd += tokens * microUsdPerToken;
    await this.send(usageUpdate(this.session));
  }
}

export function usageUpdate(session: StoredSession): SessionUpdate {
  return {
    sessionUpdate: "usage_update",
    used: session.usage.usedTokens,
    size: MODEL_FIGURES[session.config.model].size,
    cost: { amount: session.usage.costMicroUsd / 1_000_000, currency: "USD" },
  };
}
