import type { ContentBlock, JsonValue, NotPendingReason } from "@signalbox/protocol";
import { PromptEcho } from "../output/prompt-echo.ts";
import { ToolCallStatuses } from "./tool-call-status.ts";

/** Why a turn was cancelled: the reason its open permission requests end with. */
export type CancelReason = Extract<
  NotPendingReason,
  "prompt_cancelled" | "session_unloaded" | "session_deleted" | "server_stopped"
>;

/** One prompt from its acceptance to its end, as memory knows it; the row knows the rest. */
export class Turn {
  readonly promptId: string;
  readonly content: readonly ContentBlock[];
  readonly toolCalls = new ToolCallStatuses();
  readonly #cancelled = new AbortController();
  #cancelReason: CancelReason | null = null;
  #isAnswered = false;
  /** What of the agent's output only says the prompt back. */
  echo = new PromptEcho([]);
  /** Bytes of output so far. */
  outputBytes = 0;
  /** Set when the turn must fail whatever the agent answers. */
  failure: unknown;
  /** What the agent answered to the prompt, whatever became of the turn. */
  answer: JsonValue | undefined;
  /** Settles after the end was committed. Never rejects. */
  ended: Promise<void> = Promise.resolve();
  /** Set with the commit of the end, or when the session is gone. */
  hasEnded = false;

  constructor(promptId: string, content: readonly ContentBlock[]) {
    this.promptId = promptId;
    this.content = content;
  }

  /** Aborts when the turn is cancelled, whatever it is doing. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  get cancelReason(): CancelReason | null {
    return this.#cancelReason;
  }

  get isCancelled(): boolean {
    return this.#cancelReason !== null;
  }

  /**
   * The first of completion and cancel wins.
   *
   * @returns false when the agent had answered before
   */
  cancel(reason: CancelReason): boolean {
    if (this.#isAnswered) return false;
    if (this.#cancelReason === null) {
      this.#cancelReason = reason;
      this.#cancelled.abort();
    }
    return true;
  }

  /** The agent's answer has come off the wire. */
  markAnswered(): void {
    this.#isAnswered = true;
  }

  /** Cancelled or failed: the agent is only waited for. */
  get isOver(): boolean {
    return this.isCancelled || this.failure !== undefined;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }
}
