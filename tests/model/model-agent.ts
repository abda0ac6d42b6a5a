/** The agent of a run: it does what the program says, whichever of its processes is asked. */
import type { LaunchAgent } from "@signalbox/acp-runtime";
import { type ScriptedAgent, ScriptedFailure, scriptedAgent } from "@signalbox/acp-runtime/testing";
import { isJsonObject, type JsonObject } from "@signalbox/protocol";
import type { Gates } from "./gates.ts";
import type { AgentAction, Program } from "./program.ts";

type Voice = ReturnType<ScriptedAgent["voice"]>;

interface RunningTurn {
  resolve(stopReason: string): void;
  reject(error: Error): void;
}

/** Called when the runtime writes a prompt to an agent, before the agent has read it. */
export type OnDispatch = (agentSessionId: string) => void;

/** Called when a request of the agent is answered, with its title and what the agent heard. */
export type OnHeard = (title: string, heard: string) => void;

const NAME_FORM: JsonObject = {
  type: "object",
  properties: { name: { type: "string", minLength: 2 } },
  required: ["name"],
};

export class ModelAgent {
  readonly scripted: ScriptedAgent;
  readonly #gates: Gates;
  readonly #restore: Program["restore"];
  readonly #onDispatch: OnDispatch;
  readonly #obeysCancel: boolean;
  readonly #onHeard: OnHeard;
  /** Requests so far: the number of one is its title. */
  asked = 0;
  readonly #voices = new Map<string, Voice>();
  readonly #turns = new Map<string, RunningTurn>();
  /** True at the end of a run: every turn ends by itself. */
  #isDone = false;

  constructor(
    gates: Gates,
    options: Pick<Program, "restore" | "obeysCancel">,
    onDispatch: OnDispatch,
    onHeard: OnHeard = () => undefined,
  ) {
    this.#gates = gates;
    this.#onDispatch = onDispatch;
    this.#onHeard = onHeard;
    this.#restore = options.restore;
    this.#obeysCancel = options.obeysCancel;
    this.scripted = this.#gated(
      scriptedAgent((turn) => this.#turn(turn), {
        capabilities: this.#capabilities(),
        configOptions: [MODEL_OPTION],
        onNew: (voice) => void this.#voices.set(voice.sessionId, voice),
        handle: {
          "session/load": async (_params, voice) => {
            const restored = this.#restored(voice);
            await voice.say("replayed");
            return restored;
          },
          "session/resume": (_params, voice) => this.#restored(voice),
          "session/set_config_option": ({ value }) => {
            if (value !== "a" && value !== "b") throw new ScriptedFailure(-32602, "No such model");
            return { configOptions: [{ ...MODEL_OPTION, currentValue: value }] };
          },
        },
      }),
    );
  }

  get launches(): number {
    return this.scripted.launches.length;
  }

  /** Ends what runs and whatever comes. */
  finishAll(): void {
    this.#isDone = true;
    for (const turn of this.#turns.values()) turn.resolve("end_turn");
  }

  act(action: AgentAction, agentSessionId: string): void {
    const voice = this.#voices.get(agentSessionId);
    if (!voice) return;
    const turn = this.#turns.get(agentSessionId);
    switch (action.do) {
      case "say":
      case "think":
        void voice[action.do](action.text, action.messageId ?? undefined);
        break;
      case "tool":
        void voice.update({
          sessionUpdate: action.status === "pending" ? "tool_call" : "tool_call_update",
          toolCallId: "call-1",
          title: "A tool",
          status: action.status,
        });
        break;
      case "update":
        void voice.update(updateOf(action.kind));
        break;
      case "ask":
      case "question":
        void this.#ask(voice, action.do);
        break;
      case "finish":
        if (action.how === "error") turn?.reject(new ScriptedFailure(-32603, "no credit"));
        else turn?.resolve(action.how);
        break;
      case "exit":
        voice.crash({ code: action.code, signal: action.code === null ? "SIGKILL" : null });
        break;
    }
  }

  /** Whatever the answer is, also that the agent is gone: the turn does not wait for it. */
  async #ask(voice: Voice, kind: "ask" | "question"): Promise<void> {
    this.asked += 1;
    const title = `request ${this.asked}`;
    if (kind === "ask") {
      const options = { title, toolCallId: title };
      const heard = await voice.askPermission(options).catch(() => "gone");
      this.#onHeard(title, heard ?? "cancelled");
      return;
    }
    const { sessionId } = voice;
    const params = { sessionId, mode: "form", message: title, requestedSchema: NAME_FORM };
    const answer = await voice.requestRaw("elicitation/create", params);
    const result = "result" in answer && isJsonObject(answer.result) ? answer.result : null;
    this.#onHeard(title, result === null ? "gone" : String(result.action));
  }

  /** Launches and the lines to the agent wait for their turn, lines in their order. */
  #gated(inner: ScriptedAgent): ScriptedAgent {
    const launch: LaunchAgent = async (spec, signal) => {
      await this.#gates.pass("launch");
      const transport = await inner(spec, signal);
      let before = Promise.resolve();
      const write = (line: string): Promise<void> => {
        const message = JSON.parse(line) as { method?: string; params?: { sessionId?: string } };
        if (message.method === "session/prompt") {
          this.#onDispatch(String(message.params?.sessionId));
        }
        before = before
          .then(() => this.#gates.pass("agent reads"))
          .then(() => transport.write(line))
          // An agent that is gone reads nothing; the runtime hears of it by its exit.
          .catch(() => undefined);
        return Promise.resolve();
      };
      return {
        stdout: transport.stdout,
        pid: transport.pid,
        exited: transport.exited,
        write,
        endInput: () => transport.endInput(),
        stderrTail: () => transport.stderrTail(),
        // The end of its input stands behind what was written, as in any pipe.
        stop: async (options) => {
          if (options.graceMs > 0) await before;
          return transport.stop(options);
        },
      };
    };
    return Object.defineProperties(
      launch,
      Object.getOwnPropertyDescriptors(inner),
    ) as ScriptedAgent;
  }

  #capabilities(): JsonObject {
    if (this.#restore === "resume") return { sessionCapabilities: { resume: {}, close: {} } };
    return this.#restore === "load" ? { loadSession: true } : {};
  }

  #restored(voice: Voice): JsonObject {
    if (!this.scripted.sessionIds.includes(voice.sessionId)) {
      throw new ScriptedFailure(-32002, "Session not found");
    }
    this.#voices.set(voice.sessionId, voice);
    // It has forgotten what was set.
    return { configOptions: [MODEL_OPTION] };
  }

  #turn(turn: Parameters<Parameters<typeof scriptedAgent>[0]>[0]): Promise<string | undefined> {
    if (this.#isDone) return Promise.resolve("end_turn");
    return new Promise((resolve, reject) => {
      const running = { resolve, reject };
      this.#turns.set(turn.sessionId, running);
      if (this.#obeysCancel) void turn.untilCancelled().then(() => resolve("cancelled"));
    });
  }
}

const MODEL_OPTION: JsonObject = {
  id: "model",
  name: "Model",
  type: "select",
  currentValue: "a",
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
};

function updateOf(kind: string): JsonObject {
  switch (kind) {
    case "usage_update":
      return { sessionUpdate: kind, used: 10, size: 100 };
    case "available_commands_update":
      return { sessionUpdate: kind, availableCommands: [{ name: "tour", description: "Tour" }] };
    case "session_info_update":
      return { sessionUpdate: kind, title: "A title" };
    case "plan":
      return { sessionUpdate: kind, entries: [] };
    default:
      return { sessionUpdate: kind, requestId: "forged", promptId: "forged", sequence: 1 };
  }
}
