import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { AgentContext, ClientCapabilities, ContentBlock } from "@agentclientprotocol/sdk";
import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import { answer } from "./commands.ts";
import type { SessionStore } from "./session-store.ts";
import { decidingText, rememberPrompt, type StoredSession, titleOf } from "./stored-session.ts";
import { record } from "./transcript.ts";
import { Turn } from "./turn.ts";

export interface PromptRun {
  readonly client: AgentContext;
  readonly clientCapabilities: ClientCapabilities;
  readonly delayMs: number;
  readonly prompt: ContentBlock[];
  /** Aborts when the client withdraws the request or goes away. */
  readonly signal: AbortSignal;
}

/** A session that this process has open, with the turn that may be running in it. */
export class LiveSession {
  readonly stored: StoredSession;
  readonly #store: SessionStore;
  readonly #closed = new AbortController();
  #running: { cancel: AbortController; ended: Promise<StopReason> } | undefined;

  constructor(stored: StoredSession, store: SessionStore) {
    this.stored = stored;
    this.#store = store;
  }

  /** Tells the running turn, if there is one, that it is cancelled. */
  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Ends the running turn even when its script ignores cancel; resolves when it has ended. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#closed.abort();
    this.cancel();
    // How the turn ended is the prompt's to tell.
    await running?.ended.catch(() => undefined);
  }

  save(): Promise<void> {
    return this.#store.save(this.stored);
  }

  /**
   * Runs one prompt to its end. The session is on disk before it starts and again before it
   * is answered.
   *
   * @throws RequestError -32600 when a prompt is already running
   */
  async prompt(run: PromptRun): Promise<StopReason> {
    if (this.#running !== undefined) {
      throw RequestError.invalidRequest(undefined, "a prompt is already running in this session");
    }
    // Before the first await: a cancel may be the very next message on the wire.
    const cancel = new AbortController();
    const ended = this.#answer(run, cancel.signal);
    this.#running = { cancel, ended };
    try {
      return await ended;
    } finally {
      this.#running = undefined;
    }
  }

  async #answer(run: PromptRun, cancelled: AbortSignal): Promise<StopReason> {
    const signal = AbortSignal.any([cancelled, run.signal]);
    // Any number of permissions may wait on it at once.
    setMaxListeners(0, signal);
    const { stored } = this;
    const text = decidingText(run.prompt);
    const messageId = randomUUID();
    for (const content of run.prompt) {
      record(stored.transcript, { sessionUpdate: "user_message_chunk", messageId, content });
    }
    rememberPrompt(stored, text);
    const turn = new Turn({
      session: stored,
      client: run.client,
      clientCapabilities: run.clientCapabilities,
      delayMs: run.delayMs,
      prompt: run.prompt,
      signal,
      closed: AbortSignal.any([this.#closed.signal, run.signal]),
    });
    try {
      await this.save();
      await this.#introduce(turn, text);
      const stopReason = await answer(turn, text);
      if (!signal.aborted) await turn.reportUsage();
      return stopReason ?? "end_turn";
    } catch (error) {
      if (signal.aborted) return "cancelled";
      throw error;
    } finally {
      await this.save();
    }
  }

  /** Names the session after its first prompt. */
  async #introduce(turn: Turn, text: string): Promise<void> {
    const isFirst = this.stored.title === null;
    this.stored.title ??= titleOf(text);
    await turn.send({
      sessionUpdate: "session_info_update",
      ...(isFirst ? { title: this.stored.title } : {}),
      updatedAt: this.stored.updatedAt,
    });
  }
}
