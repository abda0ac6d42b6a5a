/** Prompts as callers see them: accepted, awaited, cancelled. */
import {
  acceptPromptInWrite,
  type NewPrompt,
  type PromptRow,
  readPrompt,
  readTurnMessages,
} from "@signalbox/db";
import {
  AppError,
  type ContentBlock,
  isFinal,
  isJsonObject,
  isStopReason,
  type PromptInput,
  type PromptResult,
  parseIdempotencyKey,
  type StoredError,
  type SubmittedPrompt,
} from "@signalbox/protocol";
import type { WithSession } from "../queries.ts";
import type { RuntimeDeps } from "../runtime-deps.ts";
import { orderedId } from "../sessions/ordered-id.ts";
import type { SessionHosts } from "../sessions/session-hosts.ts";
import { objectOf } from "../sessions/session-view.ts";
import { checkCapabilities, checkContent, userEvents } from "./prompt-content.ts";
import type { PromptRetention } from "./prompt-retention.ts";

export interface PromptTarget {
  sessionId: string;
  promptId: string;
}

export class SessionPrompts {
  readonly #deps: RuntimeDeps;
  readonly #hosts: SessionHosts;
  readonly #retention: PromptRetention;

  constructor(deps: RuntimeDeps, hosts: SessionHosts, retention: PromptRetention) {
    this.#deps = deps;
    this.#hosts = hosts;
    this.#retention = retention;
  }

  /** Answers as soon as the acceptance has committed; everything later is an event. */
  async submit(input: WithSession<PromptInput>): Promise<SubmittedPrompt> {
    const { deps, hosts } = { deps: this.#deps, hosts: this.#hosts };
    const idempotencyKey =
      input.idempotencyKey === undefined ? null : parseIdempotencyKey(input.idempotencyKey);
    const content = checkContent(input.content, deps.limits);
    const host = await hosts.get(input.sessionId);
    const capabilities = await host.agentCapabilities();
    const promptId = orderedId();
    const now = Date.now();
    const prompt: NewPrompt = {
      promptId,
      sessionId: host.sessionId,
      idempotencyKey,
      contentHash: content.hash,
      content: content.text,
      events: userEvents(promptId, content.blocks, now),
      whenBusy: input.whenBusy ?? "reject",
      maxQueued: deps.limits.maxQueuedPromptsPerSession,
      assertNew: () => checkCapabilities(content.blocks, capabilities),
      ...deps.owner,
    };
    if (!host.turns.current) host.log.endMessage();
    const accepted = await host.log.write((sqlite) => acceptPromptInWrite(sqlite, prompt, now));
    if (accepted.kind === "started") host.turns.start(promptId, content.blocks);
    if (accepted.kind === "queued") host.turns.noteQueued();
    host.touch();
    if (accepted.kind !== "repeated") this.#countIn(host.sessionId);
    return {
      promptId: accepted.promptId,
      sequence: accepted.sequence,
      repeated: accepted.kind === "repeated",
    };
  }

  /** Behind the acceptance: whoever sent the prompt does not wait for the removal of old ones. */
  #countIn(sessionId: string): void {
    const { onBug } = this.#deps;
    this.#retention
      .accepted(sessionId)
      .catch((error: unknown) => onBug(error, `prompts of session ${sessionId}`));
  }

  /** @throws AppError the stored error of a failed turn; `prompt_not_found`, `session_not_found` */
  async result(target: PromptTarget, signal: AbortSignal): Promise<PromptResult> {
    const result = await this.#wait(target, signal);
    if (result) return result;
    throw signal.reason instanceof Error ? signal.reason : new Error("the caller went away");
  }

  /** @returns `{pending: true}` when `waitMs` are over before the turn is */
  async await(
    target: PromptTarget,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<PromptResult | { pending: true }> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), waitMs);
    try {
      const until = AbortSignal.any([signal, deadline.signal]);
      return (await this.#wait(target, until)) ?? { pending: true };
    } finally {
      clearTimeout(timer);
    }
  }

  /** First of completion and cancel wins; a queued prompt is ended before it starts. */
  async cancel(
    target: { sessionId: string; promptId: string | undefined; wait: boolean },
    signal: AbortSignal,
  ): Promise<{ status: "cancelled" | "no_active_prompt" }> {
    const host = await this.#hosts.get(target.sessionId);
    if (target.promptId !== undefined) {
      const { sessionId, promptId } = { sessionId: host.sessionId, promptId: target.promptId };
      const row = await readPrompt(this.#deps.db, { sessionId, promptId });
      if (isFinal(row.state)) return { status: "no_active_prompt" };
      if (row.state === "queued" && (await host.cancelQueued(promptId))) {
        return { status: "cancelled" };
      }
    }
    const turn = host.turns.current;
    if (!turn || (target.promptId !== undefined && turn.promptId !== target.promptId)) {
      return { status: "no_active_prompt" };
    }
    if (!(await host.turns.cancel(turn, "prompt_cancelled"))) {
      return { status: "no_active_prompt" };
    }
    if (target.wait) {
      await this.#wait({ sessionId: host.sessionId, promptId: turn.promptId }, signal);
    }
    return { status: "cancelled" };
  }

  /** @returns null when `signal` aborts first */
  async #wait(target: PromptTarget, signal: AbortSignal): Promise<PromptResult | null> {
    const { db, turnEnds } = this.#deps;
    // A turn that runs here is not looked up: its end is heard of.
    const turn = this.#hosts.find(target.sessionId)?.turns.current;
    if (turn?.promptId === target.promptId) {
      using waiter = turnEnds.watch(target);
      await waiter.until(() => turn.hasEnded, signal);
      // Deleting the session wakes its waiters too: the look at the row tells them.
      if (!turn.hasEnded && signal.aborted) return null;
    }
    for (;;) {
      using waiter = turnEnds.watch(target);
      const row = await readPrompt(db, target);
      if (isFinal(row.state)) return this.#resultOf(row);
      await waiter.until(() => false, signal);
      if (signal.aborted) return null;
    }
  }

  async #resultOf(prompt: PromptRow): Promise<PromptResult> {
    const { sessionId, promptId, stopReason, error } = prompt;
    if (error !== null) throw AppError.fromStored(JSON.parse(error) as StoredError);
    if (!isStopReason(stopReason)) throw new Error(`prompt ${promptId} has no stop reason`);
    const texts = await readTurnMessages(this.#deps.db, prompt);
    if (texts === null) {
      throw new AppError("history_cursor_expired", "the turn's output is no longer kept", {
        details: { sessionId, promptId, stopReason },
      });
    }
    const messages = texts.map((text) => objectOf(text) ?? {});
    const content = messages.map((message) => message.content).filter(isContentBlock);
    const id = messages.at(-1)?.messageId;
    return {
      sessionId,
      promptId,
      message: content.length > 0 ? { id: String(id), role: "agent", content } : null,
      stopReason,
    };
  }
}

function isContentBlock(value: unknown): value is ContentBlock {
  return isJsonObject(value) && typeof value.type === "string";
}
