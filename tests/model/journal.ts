/** What clients were told in a run, and the rules that hold for it whatever the interleaving. */
import { AppError, type ErrorCode } from "@signalbox/protocol";
import type { ClientCommand, SessionName } from "./program.ts";

/** What a command may be refused with; anything else is a fault. */
const REFUSALS: Readonly<Record<ClientCommand["do"] | "result", readonly ErrorCode[]>> = {
  open: [
    "session_conflict",
    "session_not_found",
    "adapter_spawn_failed",
    "adapter_exited",
    "adapter_timeout",
  ],
  prompt: ["session_not_found", "session_busy", "idempotency_conflict"],
  cancel: ["session_not_found", "prompt_not_found"],
  answer: ["invalid_permission_option", "permission_changed", "session_not_found"],
  answerQuestion: ["invalid_answer", "session_not_found"],
  unload: ["session_not_found"],
  rotateEnv: ["session_not_found"],
  delete: [],
  configure: [
    "session_not_found",
    "config_rejected",
    "invalid_config_value",
    "adapter_spawn_failed",
    "adapter_exited",
    "adapter_timeout",
  ],
  subscribe: ["session_not_found"],
  resume: ["session_not_found", "history_cursor_expired", "history_cursor_ahead"],
  drop: [],
  read: ["session_not_found"],
  wait: [],
  result: [
    "session_not_found",
    "prompt_failed",
    "adapter_exited",
    "adapter_spawn_failed",
    "adapter_timeout",
    "invalid_stop_reason",
    "prompt_not_delivered",
    "prompt_delivery_uncertain",
    "restore_failed",
  ],
};

export interface AcceptedPrompt {
  readonly session: SessionName;
  readonly incarnation: string | null;
  readonly key: string | null;
  readonly text: string;
  readonly promptId: string;
}

export class Journal {
  readonly violations: string[] = [];
  readonly prompts: AcceptedPrompt[] = [];
  readonly refusedTexts: string[] = [];
  readonly dispatched = new Set<string>();
  readonly #accepted = new Map<string, number>();
  readonly #results = new Map<string, string>();

  check(holds: boolean, message: string): void {
    if (!holds) this.violations.push(message);
  }

  refused(what: ClientCommand["do"] | "result", error: unknown, isStopping: boolean): void {
    const code = error instanceof AppError ? error.code : String(error);
    if (isStopping && code === "server_draining") return;
    const allowed: readonly string[] = REFUSALS[what];
    this.check(allowed.includes(code), `${what} was refused with ${code}: ${String(error)}`);
  }

  /** One key stands for one prompt, and only its first acceptance is not a repetition. */
  prompted(prompt: AcceptedPrompt, isRepeated: boolean): void {
    const same = this.prompts.filter(
      ({ session, incarnation, key }) =>
        key !== null &&
        key === prompt.key &&
        session === prompt.session &&
        incarnation === prompt.incarnation,
    );
    this.check(!isRepeated || prompt.key !== null, `${prompt.text} without a key is a repetition`);
    for (const other of same) {
      const isSame = other.promptId === prompt.promptId && other.text === prompt.text;
      this.check(isSame, `key ${prompt.key} stands for ${other.text} and for ${prompt.text}`);
    }
    const known = this.prompts.some(({ promptId }) => promptId === prompt.promptId);
    this.check(!known || isRepeated, `prompt ${prompt.promptId} was accepted twice`);
    this.prompts.push(prompt);
  }

  answered(requestId: string): void {
    const count = (this.#accepted.get(requestId) ?? 0) + 1;
    this.#accepted.set(requestId, count);
    this.check(count === 1, `request ${requestId} was decided ${count} times`);
  }

  /** Everybody who waits for a prompt, now or later, is told the same. */
  ended(promptId: string, outcome: unknown): void {
    const text = JSON.stringify(outcome);
    const before = this.#results.get(promptId) ?? text;
    this.#results.set(promptId, text);
    this.check(before === text, `prompt ${promptId} ended as ${before} and as ${text}`);
  }
}
