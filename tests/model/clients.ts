/** Carries out what the clients of a run do, and writes down what they were told. */
import { OPERATOR, type TestRuntime } from "@signalbox/acp-runtime/testing";
import type { PendingPermission, PendingQuestion } from "@signalbox/protocol";
import { vi } from "vitest";
import type { Gates } from "./gates.ts";
import type { Journal } from "./journal.ts";
import type { ClientCommand, SessionName } from "./program.ts";
import { Reader, type ReaderStart, type Seen } from "./reader.ts";

type Command<Name extends ClientCommand["do"]> = Extract<ClientCommand, { do: Name }>;

/** One server's life, as clients see it. */
export interface Life {
  readonly ctx: TestRuntime;
  readonly ends: AbortController;
  /** Aborts what is awaited when the server is gone. */
  readonly gone: AbortSignal;
  isStopping: boolean;
  isGone: boolean;
}

export class Clients {
  readonly readers: Reader[] = [];
  readonly seen: Seen[] = [];
  readonly requests: PendingPermission[] = [];
  readonly questions: PendingQuestion[] = [];
  readonly #journal: Journal;
  readonly #gates: Gates;
  #texts = 0;

  constructor(journal: Journal, gates: Gates) {
    this.#journal = journal;
    this.#gates = gates;
  }

  /** Resolves when the command is answered; a turn's end is awaited beside it. */
  async issue(life: Life, command: ClientCommand): Promise<void> {
    try {
      await this.#run(life, command);
    } catch (error) {
      if (!life.isGone) this.#journal.refused(command.do, error, life.isStopping);
    }
  }

  async #run(life: Life, command: ClientCommand): Promise<void> {
    const { runtime } = life.ctx;
    switch (command.do) {
      case "open":
        return life.ctx.open({ sessionId: command.session, permissionPolicy: command.policy });
      case "prompt":
        return this.#prompt(life, command);
      case "cancel":
        return this.#cancel(life, command);
      case "answer":
        return this.#answer(life, command);
      case "answerQuestion":
        return this.#answerQuestion(life, command);
      case "rotateEnv": {
        const env = { TOKEN: command.value };
        return runtime.rotateEnv({ sessionId: command.session, env }, OPERATOR);
      }
      case "unload":
        return runtime.unloadSession(command.session, OPERATOR);
      case "delete":
        return runtime.deleteSession(command.session, OPERATOR);
      case "configure": {
        const change = { sessionId: command.session, configId: "model", value: command.value };
        await runtime.setConfigOption(change, OPERATOR, life.gone);
        return;
      }
      case "subscribe":
        return this.#subscribe(life, command);
      case "resume":
        return this.#resume(life, command);
      case "drop":
        return pick(this.readers, command.at)?.drop();
      case "read":
        return readAll(life.ctx, command.session);
      case "wait":
        vi.advanceTimersByTime(command.ms);
        return;
    }
  }

  async #prompt(life: Life, command: Command<"prompt">): Promise<void> {
    const { session, queue } = command;
    const key = command.key === null ? null : `key-${command.key}`;
    this.#texts += 1;
    const text = key === null ? `text ${this.#texts}.` : `${key} ${command.text}.`;
    const before = await incarnationOf(life.ctx, session);
    const input = {
      sessionId: session,
      whenBusy: queue ? ("queue" as const) : ("reject" as const),
      ...(key === null ? {} : { idempotencyKey: key }),
    };
    let accepted: Awaited<ReturnType<TestRuntime["submit"]>>;
    try {
      accepted = await life.ctx.submit(text, input);
    } catch (error) {
      if (life.isGone) return;
      if (key === null) this.#journal.refusedTexts.push(text);
      throw error;
    }
    if (life.isGone) return;
    const { promptId } = accepted;
    // A session that was opened anew meanwhile has keys of its own.
    const incarnation = (await incarnationOf(life.ctx, session)) === before ? before : null;
    if (incarnation !== null) {
      this.#journal.prompted({ session, incarnation, key, text, promptId }, accepted.repeated);
    }
    void this.#await(life, session, promptId);
  }

  async #await(life: Life, sessionId: SessionName, promptId: string): Promise<void> {
    try {
      const result = await life.ctx.runtime.promptResult({ sessionId, promptId }, life.gone);
      if (!life.isGone) this.#journal.ended(promptId, result);
    } catch (error) {
      if (!life.isGone) this.#journal.refused("result", error, life.isStopping);
    }
  }

  async #cancel(life: Life, command: Command<"cancel">): Promise<void> {
    const { session, which, at } = command;
    const known = pick(
      this.#journal.prompts.filter((prompt) => prompt.session === session),
      at,
    )?.promptId;
    const promptId = { running: undefined, known, unknown: "nobody" }[which];
    const target = { sessionId: session, promptId, wait: false };
    await life.ctx.runtime.cancelPrompt(target, OPERATOR, life.gone);
  }

  async #answer(life: Life, command: Command<"answer">): Promise<void> {
    const { requests } = await life.ctx.runtime.pendingPermissions({});
    for (const request of requests) {
      if (!this.requests.some(({ requestId }) => requestId === request.requestId)) {
        this.requests.push(request);
      }
    }
    const request = pick(this.requests, command.at);
    if (!request) return;
    const digest = { none: undefined, right: request.digest, wrong: "wrong" }[command.digest];
    // Without a digest a second client answers at the same moment.
    const options = command.digest === "none" ? [command.option, "allow"] : [command.option];
    const told = options.map((optionId) => this.#respond(life, { request, optionId, digest }));
    const failed = (await Promise.allSettled(told)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  async #respond(
    life: Life,
    answer: { request: PendingPermission; optionId: string; digest: string | undefined },
  ): Promise<void> {
    const { request, optionId, digest } = answer;
    const { sessionId, requestId } = request;
    const told = await life.ctx.runtime.respondToPermission(
      { sessionId, requestId, optionId, digest },
      OPERATOR,
    );
    if (life.isGone || told.status !== "accepted") return;
    const isSound = optionId !== "bogus" && (digest ?? request.digest) === request.digest;
    this.#journal.check(isSound, `${optionId} with digest ${digest} was accepted`);
    this.#journal.answered(requestId);
  }

  async #answerQuestion(life: Life, { at, how }: Command<"answerQuestion">): Promise<void> {
    for (const question of (await life.ctx.runtime.pendingQuestions({})).requests) {
      if (!this.questions.some(({ requestId }) => requestId === question.requestId)) {
        this.questions.push(question);
      }
    }
    const question = pick(this.questions, at);
    if (!question) return;
    const told = await life.ctx.runtime.respondToQuestion(questionAnswer(question, how), OPERATOR);
    if (life.isGone || told.status !== "accepted") return;
    this.#journal.check(how !== "misfit", "an answer that does not fit its form was accepted");
    this.#journal.answered(question.requestId);
  }

  async #subscribe(life: Life, command: Command<"subscribe">): Promise<void> {
    const { session, from, slow } = command;
    const { latestSequence } = await life.ctx.runtime.getSession(session);
    const { oldestSequence } = await life.ctx.runtime.history({ sessionId: session, limit: 1 });
    const middle = Math.floor((oldestSequence + latestSequence) / 2);
    const after = { now: undefined, oldest: 0, middle }[from];
    const sequence = { now: null, oldest: oldestSequence - 1, middle }[from];
    this.#follow(life, { session, after, lastEventId: null, sequence, live: "" }, slow);
  }

  #resume(life: Life, command: Command<"resume">): void {
    const reader = pick(
      this.readers.filter(({ isOver, cursor }) => isOver && cursor !== null),
      command.at,
    );
    if (!reader) return;
    const { sequence, live, cursor } = reader;
    const { session } = reader.start;
    this.#follow(
      life,
      { session, after: undefined, lastEventId: cursor, sequence, live },
      command.slow,
    );
  }

  /** @returns new readers for those whose session is still the one they read */
  async comeBack(life: Life): Promise<Reader[]> {
    const back: Reader[] = [];
    for (const { start, cursor, sequence, live, incarnation } of [...this.readers]) {
      const { session } = start;
      if (cursor === null || sequence === null || incarnation === null) continue;
      if ((await incarnationOf(life.ctx, session)) !== incarnation) continue;
      const from = { session, after: undefined, lastEventId: cursor, sequence, live };
      back.push(this.#follow(life, from, false));
    }
    return back;
  }

  #follow(life: Life, start: ReaderStart, isSlow: boolean): Reader {
    const reader = new Reader(start, this.#journal, this.seen);
    this.readers.push(reader);
    void reader.run(life, isSlow ? this.#gates : null);
    return reader;
  }
}

export async function readAll(ctx: TestRuntime, sessionId: SessionName): Promise<void> {
  const { runtime } = ctx;
  await runtime.listSessions({});
  await runtime.pendingPermissions({});
  await runtime.getSession(sessionId);
  await runtime.history({ sessionId });
  await runtime.sessionConfig(sessionId);
  await runtime.sessionCapabilities(sessionId);
  await runtime.sessionAgentInfo(sessionId);
}

export function questionAnswer(
  { sessionId, requestId }: Pick<PendingQuestion, "sessionId" | "requestId">,
  how: Command<"answerQuestion">["how"],
) {
  if (how === "accept" || how === "misfit") {
    const content = { name: how === "accept" ? "Ada" : "A" };
    return { sessionId, requestId, action: "accept" as const, content };
  }
  return { sessionId, requestId, action: how };
}

export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)];
}

export function incarnationOf(ctx: TestRuntime, sessionId: string): Promise<string | null> {
  return ctx.deps.db.read(
    (sqlite) =>
      (sqlite
        .prepare("SELECT incarnation FROM Session WHERE sessionId = ?")
        .pluck()
        .get(sessionId) as string | undefined) ?? null,
  );
}
