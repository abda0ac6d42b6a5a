/** Runs a program against the real runtime and tells which rules it saw broken. */
import { type TestRuntime, testRuntime } from "@signalbox/acp-runtime/testing";
import { checkInvariants } from "@signalbox/db";
import type { DurableEvent } from "@signalbox/protocol";
import type fc from "fast-check";
import { vi } from "vitest";
import { Clients, incarnationOf, type Life, readAll } from "./clients.ts";
import { atRest, Gates } from "./gates.ts";
import { Journal } from "./journal.ts";
import { ModelAgent } from "./model-agent.ts";
import { type AgentAction, type Phase, type Program, SESSIONS } from "./program.ts";

/** Enough for every task that a run can leave to come to its end. */
const MAX_LAST_TASKS = 500;

export interface Outcome {
  /** A sentence for each rule that was broken. */
  readonly violations: readonly string[];
  /** Every gate that something went through, in order, and what stands in history at the end. */
  readonly trace: readonly string[];
}

export async function run(program: Program): Promise<Outcome> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_800_000_000_000 });
  try {
    return await new Run(program).go();
  } finally {
    vi.useRealTimers();
  }
}

class Run {
  readonly #program: Program;
  readonly #gates = new Gates();
  readonly #journal = new Journal();
  readonly #clients = new Clients(this.#journal, this.#gates);
  readonly #agent: ModelAgent;
  #ctx: TestRuntime | undefined;
  #isStuck = false;

  constructor(program: Program) {
    this.#program = program;
    this.#agent = new ModelAgent(this.#gates, program, (id) => this.#onDispatch(id));
  }

  async go(): Promise<Outcome> {
    const stack: AsyncDisposable[] = [];
    try {
      let ctx = await testRuntime({
        agent: this.#agent.scripted,
        throughDb: (db) => this.#gates.throughDb(db),
      });
      stack.push(ctx);
      for (const { plan, scheduler } of this.#program.phases) {
        const life = await this.#phase(ctx, plan, scheduler);
        const next = await ctx.afterCrash();
        stack.push(next);
        await this.#die(life, scheduler);
        ctx = next;
      }
      await this.#last(ctx);
    } finally {
      this.#gates.use(null);
      this.#agent.finishAll();
      // A runtime that does not stop would not let go of its files either.
      if (this.#isStuck) stack.length = 0;
      for (const resource of stack.reverse()) await resource[Symbol.asyncDispose]();
    }
    return { violations: this.#journal.violations, trace: this.#gates.trace };
  }

  #begin(ctx: TestRuntime): Life {
    this.#ctx = ctx;
    const ends = new AbortController();
    return { ctx, ends, gone: ends.signal, isStopping: false, isGone: false };
  }

  async #phase(ctx: TestRuntime, plan: Phase, scheduler: fc.Scheduler): Promise<Life> {
    const life = this.#begin(ctx);
    this.#gates.use(scheduler);
    void ctx.startQueuedPrompts();
    for (const commands of plan.clients) void this.#client(life, commands);
    void this.#agentActs(life, plan.agent);
    await atRest();
    for (let step = 0; step < plan.steps && scheduler.count() > 0; step += 1) {
      const burst = plan.bursts[step % plan.bursts.length] ?? 1;
      await scheduler.waitNext(Math.min(burst, scheduler.count()));
      await atRest();
      this.#checkRows(ctx);
    }
    if (plan.end === "stop") {
      await this.#stop(life, scheduler);
      this.#checkRows(ctx);
      this.#checkStopped(ctx);
    }
    return life;
  }

  async #client(life: Life, commands: Phase["clients"][number]): Promise<void> {
    for (const { command, isAwaited } of commands) {
      await this.#gates.pass(command.do);
      if (life.isGone) return;
      const issued = this.#clients.issue(life, command);
      if (isAwaited) await issued;
    }
  }

  async #agentActs(life: Life, actions: readonly AgentAction[]): Promise<void> {
    for (const action of actions) {
      await this.#gates.pass(action.do);
      if (life.isGone) return;
      this.#act(life.ctx, action);
    }
  }

  /** An ordered stop; what the scheduler still holds goes on meanwhile. */
  async #stop(life: Life, scheduler: fc.Scheduler): Promise<void> {
    const { ctx } = life;
    life.isStopping = true;
    let isStopped = false;
    const stopped = ctx.runtime.close({ graceMs: 0 }).finally(() => {
      isStopped = true;
    });
    for (let task = 0; task < MAX_LAST_TASKS && !isStopped; task += 1) {
      await atRest();
      if (isStopped) break;
      if (scheduler.count() > 0) await scheduler.waitNext(1);
      else vi.advanceTimersByTime(ctx.deps.limits.cancelGraceMs);
    }
    this.#isStuck = !isStopped;
    if (this.#isStuck) throw new Error("the stop does not come to its end");
    await stopped;
  }

  /** Nothing a dead server says counts, and its subscribers come back to the next one. */
  async #die(life: Life, scheduler: fc.Scheduler): Promise<void> {
    life.isGone = true;
    life.ends.abort();
    this.#ctx = undefined;
    for (const reader of this.#clients.readers) {
      reader.drop();
      // The last quarter second of a message that was live may be lost with the server.
      reader.live = "";
    }
    await this.#stop(life, scheduler);
    for (let task = 0; task < MAX_LAST_TASKS && scheduler.count() > 0; task += 1) {
      await scheduler.waitNext(1);
      await atRest();
    }
    this.#gates.use(null);
  }

  /** Everything comes to its end, and what was promised on the way is looked up. */
  async #last(ctx: TestRuntime): Promise<void> {
    const life = this.#begin(ctx);
    this.#gates.use(null);
    this.#agent.finishAll();
    await ctx.startQueuedPrompts();
    await atRest();
    this.#checkRows(ctx);
    await this.#checkPromises(ctx);
    await this.#checkCursors(life);
    await this.#checkReads(ctx);
    life.isGone = true;
    life.ends.abort();
  }

  #act(ctx: TestRuntime, action: AgentAction): void {
    void ctx.deps.db.read((sqlite) => {
      const agentSessionId = sqlite
        .prepare("SELECT agentSessionId FROM Session WHERE sessionId = ?")
        .pluck()
        .get(action.session);
      if (typeof agentSessionId === "string") this.#agent.act(action, agentSessionId);
    });
  }

  /** What is handed to an agent is committed as such, and handed over once. */
  #onDispatch(agentSessionId: string): void {
    const ctx = this.#ctx;
    if (!ctx) return;
    void ctx.deps.db.read((sqlite) => {
      const promptId = sqlite
        .prepare(
          `SELECT p.promptId FROM Prompt p JOIN Session s USING (sessionId)
           WHERE s.agentSessionId = ? AND p.state = 'dispatched'`,
        )
        .pluck()
        .get(agentSessionId);
      this.#journal.check(typeof promptId === "string", "a prompt left before its mark");
      const isFirst = !this.#journal.dispatched.has(String(promptId));
      this.#journal.check(isFirst, `prompt ${String(promptId)} was dispatched twice`);
      this.#journal.dispatched.add(String(promptId));
    });
  }

  #checkRows(ctx: TestRuntime): void {
    void ctx.deps.db.read((sqlite) => {
      for (const { invariant, sessionId, subject, message } of checkInvariants(sqlite)) {
        this.#journal.check(false, `${invariant}: ${sessionId} ${subject} ${message}`);
      }
    });
  }

  /** After an ordered stop nothing runs and nobody waits. */
  #checkStopped(ctx: TestRuntime): void {
    void ctx.deps.db.read((sqlite) => {
      const count = (sql: string) => sqlite.prepare(sql).pluck().get() as number | bigint;
      const running = count(
        "SELECT count(*) FROM Prompt WHERE startedAt IS NOT NULL AND endedAt IS NULL",
      );
      const pending = count("SELECT count(*) FROM Permission WHERE state = 'pending'");
      this.#journal.check(Number(running) === 0, `${running} turns run after the stop`);
      this.#journal.check(Number(pending) === 0, `${pending} requests wait after the stop`);
    });
  }

  async #checkPromises(ctx: TestRuntime): Promise<void> {
    const stored = new Map<string, string>();
    const current = new Map<string, string | null>();
    for (const session of SESSIONS) {
      const incarnation = await incarnationOf(ctx, session);
      current.set(session, incarnation);
      if (incarnation === null) continue;
      for (const event of await ctx.events(session)) {
        stored.set(`${incarnation} ${event.sequence}`, JSON.stringify(event));
      }
    }
    for (const { session, incarnation, sequence, text } of this.#clients.seen) {
      if (current.get(session) !== incarnation) continue;
      const now = stored.get(`${incarnation} ${sequence}`);
      this.#journal.check(now === text, `${session} ${sequence} was ${text} and is ${now}`);
    }
    const history = [...stored.values()];
    for (const text of history) this.#gates.trace.push((JSON.parse(text) as DurableEvent).type);
    for (const text of this.#journal.refusedTexts) {
      const isThere = history.some((event) => event.includes(JSON.stringify(text)));
      this.#journal.check(!isThere, `"${text}" was refused and is in history`);
    }
    for (const word of ['"agent-', "agent-session-"]) {
      const isThere = history.some((event) => event.includes(word));
      this.#journal.check(!isThere, `${word} is in history`);
    }
    await this.#checkPrompts(ctx, current);
  }

  /** Every prompt that was accepted is there and has ended. */
  async #checkPrompts(
    ctx: TestRuntime,
    current: ReadonlyMap<string, string | null>,
  ): Promise<void> {
    const rows = await ctx.deps.db.read(
      (sqlite) =>
        sqlite.prepare("SELECT promptId, state, error FROM Prompt").all() as {
          promptId: string;
          state: string;
          error: string | null;
        }[],
    );
    for (const { session, incarnation, promptId, text } of this.#journal.prompts) {
      if (current.get(session) !== incarnation) continue;
      const row = rows.find((prompt) => prompt.promptId === promptId);
      this.#journal.check(row !== undefined, `"${text}" was accepted and is lost`);
    }
    for (const { promptId, state, error } of rows) {
      const isOver = ["completed", "cancelled", "failed"].includes(state);
      this.#journal.check(isOver, `prompt ${promptId} is ${state} when all has ended`);
      const wasNever = error?.includes('"delivery":"never"') ?? false;
      const isDispatched = this.#journal.dispatched.has(promptId);
      this.#journal.check(!wasNever || !isDispatched, `${promptId} was delivered: ${error}`);
      this.#journal.check(
        state !== "completed" || isDispatched,
        `${promptId} is completed and was never dispatched`,
      );
    }
  }

  /** Whoever comes back with a cursor is told everything after it. */
  async #checkCursors(life: Life): Promise<void> {
    const back = await this.#clients.comeBack(life);
    await atRest();
    for (const reader of back) {
      const { session } = reader.start;
      const { latestSequence } = await life.ctx.runtime.getSession(session);
      const at = `${session}: back at ${reader.start.sequence}, told up to ${reader.sequence}`;
      this.#journal.check(reader.sequence === latestSequence, `${at} of ${latestSequence}`);
      reader.drop();
    }
    await atRest();
  }

  /** Reads start nothing. */
  async #checkReads(ctx: TestRuntime): Promise<void> {
    const before = this.#agent.launches;
    for (const session of SESSIONS) await readAll(ctx, session).catch(() => undefined);
    await atRest();
    this.#journal.check(this.#agent.launches === before, "a read started an adapter");
  }
}
