/** Runs a script against the real runtime and against the model, and tells where they differ. */
import { isDeepStrictEqual } from "node:util";
import { type TestRuntime, testRuntime } from "@signalbox/acp-runtime/testing";
import { checkInvariants } from "@signalbox/db";
import { isJsonObject } from "@signalbox/protocol";
import { vi } from "vitest";
import type { Life } from "./clients.ts";
import { agentActs, passTime, recover, unloadSession } from "./expected-agent.ts";
import {
  CANCEL_GRACE_MS,
  LIMITS,
  newWorld,
  runningOf,
  startNext,
  type World,
} from "./expected-world.ts";
import { atRest, Gates } from "./gates.ts";
import { ModelAgent } from "./model-agent.ts";
import { codeOf, eventsInWords, expectedInfo, infoInWords, Names } from "./observed.ts";
import { PredictedClients } from "./predicted-clients.ts";
import { type AgentAction, SESSIONS } from "./program.ts";
import type { Script, Step } from "./script.ts";

/** More crashes within minutes are held back, which is tested elsewhere. */
const MAX_EXITS = 9;
/** Steps of time in which each timer fires once at most, and what it causes comes to rest. */
const TIME_STEPS_MS = [300, 9_700, 890_000];

/**
 * @param odd what the agent does otherwise than the model is told
 * @returns where the runtime did not do what the model says, in words; empty when they agree
 */
export async function predict(
  script: Script,
  odd: Partial<Pick<Script, "obeysCancel">> = {},
): Promise<string[]> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_800_000_000_000 });
  try {
    return await new Prediction(script, odd).go();
  } finally {
    vi.useRealTimers();
  }
}

class Prediction {
  readonly #script: Script;
  readonly #agent: ModelAgent;
  readonly #world: World;
  readonly #names = new Names();
  readonly #clients: PredictedClients;
  readonly #heard = new Map<string, string>();
  readonly #differences: string[] = [];
  #exits = 0;

  constructor(script: Script, odd: Partial<Pick<Script, "obeysCancel">>) {
    this.#script = script;
    this.#world = newWorld({ ...script, nowMs: Date.now() });
    this.#clients = new PredictedClients(this.#world, this.#names);
    this.#agent = new ModelAgent(
      new Gates(),
      { ...script, ...odd },
      () => undefined,
      (title, heard) => this.#heard.set(title, heard),
    );
  }

  async go(): Promise<string[]> {
    const stack: AsyncDisposable[] = [];
    try {
      const ctx = await testRuntime({ agent: this.#agent.scripted, limits: LIMITS });
      stack.push(ctx);
      let life = begin(ctx);
      for (const [index, step] of this.#script.steps.entries()) {
        if (step.by === "server") {
          const next = await this.#end(life, step.end);
          stack.push(next);
          life = begin(next);
          await this.#start(life);
        } else {
          await this.#do(life, step);
        }
        await this.#compare(life);
        if (this.#differences.length > 0) {
          return [`step ${index} (${JSON.stringify(step)}):`, ...this.#differences];
        }
      }
      this.#clients.leave(life);
      return [];
    } finally {
      this.#agent.finishAll();
      for (const resource of stack.reverse()) await resource[Symbol.asyncDispose]();
    }
  }

  #check(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return;
    const [is, should] = [actual, expected].map((value) => JSON.stringify(value, null, 1));
    this.#differences.push(`${what} is ${is}, the model says ${should}`);
  }

  async #do(life: Life, step: Exclude<Step, { by: "server" }>): Promise<void> {
    if (step.by === "agent") return this.#act(life.ctx, step.action);
    const { command } = step;
    if (command.do === "wait") return this.#wait(command.ms);
    let told = "nothing, it waits";
    const waitMs = this.#clients.waitMs(command);
    const issued = this.#clients.issue(life, command);
    void issued.told.then((outcome) => {
      told = outcome;
    });
    await atRest();
    if (waitMs > 0) {
      vi.advanceTimersByTime(waitMs);
      await atRest();
    }
    this.#check(`what ${command.do} is told`, told, issued.predict());
  }

  async #wait(ms: number): Promise<void> {
    let left = ms;
    for (const stepMs of TIME_STEPS_MS) {
      if (left <= 0) return;
      vi.advanceTimersByTime(Math.min(left, stepMs));
      await atRest();
      passTime(this.#world, Math.min(left, stepMs));
      left -= stepMs;
    }
  }

  async #act(ctx: TestRuntime, action: AgentAction): Promise<void> {
    if (action.do === "exit") {
      this.#exits += 1;
      if (this.#exits > MAX_EXITS) return;
    }
    const agentSessionId = await ctx.deps.db.read((sqlite) =>
      sqlite
        .prepare("SELECT agentSessionId FROM Session WHERE sessionId = ?")
        .pluck()
        .get(action.session),
    );
    const isLive = this.#world.sessions.get(action.session)?.isLive ?? false;
    const isAsk = action.do === "ask" || action.do === "question";
    // An agent that is gone asks nobody; its title would be missing from the model.
    if (isAsk && !isLive) return;
    if (typeof agentSessionId === "string") this.#agent.act(action, agentSessionId);
    await atRest();
    agentActs(this.#world, action, `request ${this.#agent.asked}`);
  }

  /** The server is killed, or told to stop; either way the next one finds its files. */
  async #end(life: Life, end: "crash" | "stop"): Promise<TestRuntime> {
    const { ctx } = life;
    if (end === "stop") {
      life.isStopping = true;
      await this.#close(ctx);
      this.#world.isHeld = true;
      const idleFirst = [...this.#world.sessions.values()].sort(
        (a, b) => Number(runningOf(a) !== null) - Number(runningOf(b) !== null),
      );
      for (const session of idleFirst) unloadSession(this.#world, session, "server_stopped");
    }
    const next = await ctx.afterCrash();
    this.#clients.leave(life);
    if (end === "crash") await this.#close(ctx);
    this.#world.nowMs = Date.now();
    this.#world.isHeld = false;
    recover(this.#world);
    return next;
  }

  async #close(ctx: TestRuntime): Promise<void> {
    let isClosed = false;
    const closed = ctx.runtime.close({ graceMs: 0 }).finally(() => {
      isClosed = true;
    });
    // The grace of the stop, which is none, then that of each cancel.
    for (const ms of [0, 1, CANCEL_GRACE_MS, CANCEL_GRACE_MS]) {
      if (isClosed) break;
      vi.advanceTimersByTime(ms);
      await atRest();
    }
    await closed;
  }

  async #start(life: Life): Promise<void> {
    await life.ctx.startQueuedPrompts();
    this.#clients.comeBack(life);
    await atRest();
    for (const session of this.#world.sessions.values()) startNext(this.#world, session);
  }

  async #compare(life: Life): Promise<void> {
    const { ctx } = life;
    for (const name of SESSIONS) await this.#compareSession(ctx, name);
    const { launches, callsOf } = this.#agent.scripted;
    const envs = launches.map(({ env }) => env.TOKEN ?? null);
    this.#check("the environment of the starts", envs, this.#world.launches);
    const settings = callsOf("session/set_config_option").map(({ params }) => params.value);
    this.#check("what agents were asked to set", settings, this.#world.settings);
    const prompts = callsOf("session/prompt").map(({ params }) => lastText(params.prompt));
    this.#check("what agents were handed", prompts, this.#world.dispatched);
    for (const { title, isPending, heard } of this.#world.requests) {
      if (heard === null && !isPending) continue;
      const expected = isPending ? undefined : heard;
      this.#check(`what the agent heard of ${title}`, this.#heard.get(title), expected);
    }
    this.#differences.push(...this.#clients.differences());
    const violations = await ctx.deps.db.read((sqlite) => checkInvariants(sqlite, LIMITS));
    this.#check("what breaks an invariant", violations, []);
    this.#check("what is a bug", ctx.bugs.map(String), []);
  }

  async #compareSession(ctx: TestRuntime, name: (typeof SESSIONS)[number]): Promise<void> {
    const expected = this.#world.sessions.get(name);
    if (!expected) {
      const told = await ctx.runtime.getSession(name).catch(codeOf);
      this.#check(`${name}, which is not there,`, told, "session_not_found");
      return;
    }
    // Events first: they tell the names of requests.
    const events = await eventsInWords(ctx, name, this.#names);
    this.#check(`the history of ${name}`, events, expected.events);
    const info = infoInWords(await ctx.runtime.getSession(name), this.#names);
    this.#check(name, info, expectedInfo(this.#world, expected));
    const { options } = await ctx.runtime.sessionConfig(name);
    this.#check(`the model of ${name}`, options[0]?.currentValue, expected.config);
  }
}

function begin(ctx: TestRuntime): Life {
  const ends = new AbortController();
  return { ctx, ends, gone: ends.signal, isStopping: false, isGone: false };
}

function lastText(prompt: unknown): unknown {
  const block: unknown = Array.isArray(prompt) ? prompt.at(-1) : null;
  return isJsonObject(block) ? block.text : null;
}
