import { PassThrough } from "node:stream";
import { isJsonObject, type JsonObject, type JsonValue } from "@signalbox/protocol";
import { drainAfterExit } from "../adapter/exit-drain.ts";
import { ByteTail } from "../adapter/stderr-tail.ts";
import type {
  AgentExit,
  AgentTransport,
  LaunchSpec,
  StderrTail,
  StopOptions,
} from "../wire/agent-transport.ts";
import type {
  ScriptedAnswer,
  ScriptedMemory,
  ScriptedTurn,
  ScriptedVoice,
} from "./scripted-agent.ts";
import { answerUsually } from "./scripted-answers.ts";
import { ScriptedFailure } from "./scripted-failure.ts";

const DEFAULT_OPTIONS = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** One launch of a scripted agent. */
export class ScriptedProcess implements AgentTransport {
  readonly stdout = new PassThrough();
  readonly pid = null;
  readonly exited: Promise<AgentExit>;
  readonly memory: ScriptedMemory;
  readonly #launch: number;
  readonly #spec: LaunchSpec;
  readonly #stderr: ByteTail;
  readonly #turns = new Map<string, AbortController>();
  readonly #pending = new Map<string, (answer: ScriptedAnswer) => void>();
  #settleExit: (exit: AgentExit) => void = () => {};
  #isGone = false;
  #lastId = 0;

  constructor(memory: ScriptedMemory, spec: LaunchSpec, launch: number) {
    this.memory = memory;
    this.#spec = spec;
    this.#launch = launch;
    this.#stderr = new ByteTail(spec.stderrTailBytes);
    const exit = new Promise<AgentExit>((resolve) => {
      this.#settleExit = resolve;
    });
    this.exited = exit.then(async (how) => {
      await drainAfterExit([this.stdout]);
      this.stdout.destroy();
      return how;
    });
    this.stdout.on("error", () => {});
    // A script may say any number of things without waiting for room.
    this.stdout.setMaxListeners(0);
  }

  async write(line: string): Promise<void> {
    if (this.#isGone) throw new Error("EPIPE: the scripted agent is gone");
    // Not within the caller's stack: no pipe is that fast.
    queueMicrotask(() => this.#receive(JSON.parse(line)));
  }

  endInput(): void {
    if (this.memory.options.ignoresEndOfInput !== true) this.exit({ code: 0, signal: null });
  }

  stderrTail(): StderrTail {
    return this.#stderr.read();
  }

  async stop(options: StopOptions): Promise<AgentExit> {
    this.endInput();
    const kill = (): void => this.exit({ code: null, signal: "SIGKILL" });
    const timer = setTimeout(kill, options.graceMs);
    options.signal?.addEventListener("abort", kill, { once: true });
    if (options.graceMs === 0 || options.signal?.aborted) kill();
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", kill);
    }
  }

  exit(exit: AgentExit): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.stdout.end();
    this.#settleExit(exit);
    for (const turn of this.#turns.values()) turn.abort();
    for (const answer of [...this.#pending.values()]) {
      answer({ error: { code: -32603, message: "the agent is gone" } });
    }
  }

  /** Resolves when the pipe has room again, or the agent is gone. */
  async send(text: string): Promise<void> {
    if (this.#isGone || this.stdout.destroyed || this.stdout.write(`${text}\n`)) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const event of ["drain", "close", "end"]) this.stdout.off(event, go);
        resolve();
      };
      for (const event of ["drain", "close", "end"]) this.stdout.once(event, go);
    });
  }

  voice(sessionId: string): ScriptedVoice {
    const update = (body: JsonObject): Promise<void> => this.#update(sessionId, body);
    const chunk = (kind: string, text: string, messageId?: string): Promise<void> =>
      update({
        sessionUpdate: kind,
        content: { type: "text", text },
        ...(messageId === undefined ? {} : { messageId }),
      });
    const request = (method: string, params: JsonValue): Promise<ScriptedAnswer> =>
      this.#request(method, params);
    return {
      sessionId,
      say: (text, messageId) => chunk("agent_message_chunk", text, messageId),
      think: (text, messageId) => chunk("agent_thought_chunk", text, messageId),
      update,
      updateText: (text) =>
        this.send(
          `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},"update":${text}}}`,
        ),
      line: (text) => this.send(text),
      askPermission: async ({ title, options = DEFAULT_OPTIONS, toolCallId = "call-1" }) =>
        chosenOption(
          await request("session/request_permission", {
            sessionId,
            toolCall: { toolCallId, title },
            options,
          }),
        ),
      requestRaw: request,
      notifyRaw: (method, params) => this.send(JSON.stringify({ jsonrpc: "2.0", method, params })),
      stderr: (text) => {
        this.#stderr.push(Buffer.from(text));
        this.#spec.onStderr?.(text);
      },
      crash: (exit) => this.exit({ code: 1, signal: null, ...exit }),
    };
  }

  #receive(message: JsonValue): void {
    if (this.#isGone || !isJsonObject(message)) return;
    const { id, method } = message;
    const params = isJsonObject(message.params) ? message.params : {};
    if (typeof method !== "string") {
      this.#pending.get(String(id))?.(
        isJsonObject(message.error) ? { error: message.error } : { result: message.result ?? null },
      );
      return;
    }
    const kind = id === undefined ? "notification" : "request";
    this.memory.record({ kind, method, params, launch: this.#launch });
    if (method === "session/cancel") this.#turns.get(String(params.sessionId))?.abort();
    if (id !== undefined) void this.#answer(id, method, params);
  }

  async #answer(id: JsonValue, method: string, params: JsonObject): Promise<void> {
    let outcome: JsonObject;
    try {
      outcome = { result: await this.#result(method, params) };
    } catch (error) {
      outcome = { error: errorOf(error) };
    }
    await this.send(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  }

  async #result(method: string, params: JsonObject): Promise<JsonValue> {
    const own = this.memory.options.handle?.[method];
    if (own !== undefined) return own(params, this.voice(String(params.sessionId ?? "")));
    if (method === "session/prompt") return this.#prompt(params);
    return answerUsually(this, method, params);
  }

  async #prompt(params: JsonObject): Promise<JsonValue> {
    const sessionId = String(params.sessionId);
    const content = Array.isArray(params.prompt) ? params.prompt : [];
    const transcript = this.memory.sessions.get(sessionId)?.transcript;
    transcript?.push(
      ...content.map((block) => ({ sessionUpdate: "user_message_chunk", content: block })),
    );
    const cancel = new AbortController();
    this.#turns.set(sessionId, cancel);
    const turn: ScriptedTurn = {
      ...this.voice(sessionId),
      text: content.map((block) => (isJsonObject(block) ? (block.text ?? "") : "")).join(""),
      content,
      cancelled: cancel.signal,
      untilCancelled: () =>
        new Promise((resolve) => {
          if (cancel.signal.aborted) resolve();
          else cancel.signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    };
    try {
      const ended = await this.memory.script(turn);
      return typeof ended === "object" ? ended : { stopReason: ended ?? "end_turn" };
    } finally {
      if (this.#turns.get(sessionId) === cancel) this.#turns.delete(sessionId);
    }
  }

  async #update(sessionId: string, update: JsonObject): Promise<void> {
    this.memory.sessions.get(sessionId)?.transcript.push(update);
    await this.replay(sessionId, update);
  }

  /** Sends an update that is not news to the transcript. */
  replay(sessionId: string, update: JsonObject): Promise<void> {
    return this.send(
      JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }),
    );
  }

  #request(method: string, params: JsonValue): Promise<ScriptedAnswer> {
    this.#lastId += 1;
    const id = `agent-${this.#lastId}`;
    return new Promise((resolve) => {
      this.#pending.set(id, (answer) => {
        this.#pending.delete(id);
        resolve(answer);
      });
      void this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }
}

function chosenOption(answer: ScriptedAnswer): string | undefined {
  if ("error" in answer) {
    const { code, message, data } = answer.error;
    throw new ScriptedFailure(Number(code), String(message), data);
  }
  const outcome = isJsonObject(answer.result) ? answer.result.outcome : undefined;
  const optionId = isJsonObject(outcome) ? outcome.optionId : undefined;
  return typeof optionId === "string" ? optionId : undefined;
}

function errorOf(error: unknown): JsonObject {
  if (error instanceof ScriptedFailure) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return { code: -32603, message: error instanceof Error ? error.message : String(error) };
}
