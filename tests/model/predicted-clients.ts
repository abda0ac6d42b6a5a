/** Clients whose every answer the model foretells, and readers that must see what it says. */
import { OPERATOR } from "@signalbox/acp-runtime/testing";
import { type Life, pick, questionAnswer, readAll } from "./clients.ts";
import * as expected from "./expected-clients.ts";
import {
  CANCEL_GRACE_MS,
  type ExpectedPrompt,
  type ExpectedRequest,
  runningOf,
  type World,
} from "./expected-world.ts";
import { Journal } from "./journal.ts";
import { codeOf, type Names, outcomeOf } from "./observed.ts";
import type { ClientCommand, SessionName } from "./program.ts";
import { Reader, type ReaderStart, type Seen } from "./reader.ts";

type Command<Name extends ClientCommand["do"]> = Extract<ClientCommand, { do: Name }>;

export interface Issued {
  /** What the runtime said, in words; never rejects. */
  readonly told: Promise<string>;
  /** What the model says, asked when all has come to rest. */
  readonly predict: () => string;
}

interface ExpectedReader {
  readonly reader: Reader;
  readonly session: SessionName;
  readonly incarnation: number;
}

export class PredictedClients {
  readonly #world: World;
  readonly #names: Names;
  readonly #journal = new Journal();
  readonly #seen: Seen[] = [];
  readonly #outcomes = new Map<string, string>();
  #readers: ExpectedReader[] = [];
  #texts = 0;

  constructor(world: World, names: Names) {
    this.#world = world;
    this.#names = names;
  }

  /** How long the command waits for an agent that does not end its turn. */
  waitMs(command: ClientCommand): number {
    if (command.do !== "unload" && command.do !== "delete") return 0;
    const session = this.#world.sessions.get(command.session);
    if (!session || !runningOf(session) || this.#world.obeysCancel) return 0;
    const { nowMs } = this.#world;
    return (session.graceAtMs ?? nowMs + CANCEL_GRACE_MS) - nowMs;
  }

  issue(life: Life, command: ClientCommand): Issued {
    const { told, predict } = this.#issue(life, command);
    return { told: told.catch(codeOf), predict };
  }

  #issue(life: Life, command: ClientCommand): Issued {
    const { runtime } = life.ctx;
    const world = this.#world;
    const ok = (done: Promise<void>) => done.then(() => "ok");
    switch (command.do) {
      case "open": {
        const { session: sessionId, policy: permissionPolicy } = command;
        return {
          told: ok(life.ctx.open({ sessionId, permissionPolicy })),
          predict: () => expected.open(world, sessionId, permissionPolicy),
        };
      }
      case "prompt":
        return this.#prompt(life, command);
      case "cancel":
        return this.#cancel(life, command);
      case "answer":
        return this.#answer(life, command);
      case "answerQuestion":
        return this.#answerQuestion(life, command);
      case "unload":
        return {
          told: ok(runtime.unloadSession(command.session, OPERATOR)),
          predict: () => expected.unload(world, command.session),
        };
      case "delete":
        return {
          told: ok(runtime.deleteSession(command.session, OPERATOR)),
          predict: () => expected.remove(world, command.session),
        };
      case "rotateEnv": {
        const change = { sessionId: command.session, env: { TOKEN: command.value } };
        return {
          told: ok(runtime.rotateEnv(change, OPERATOR)),
          predict: () => expected.rotateEnv(world, command.session, command.value),
        };
      }
      case "configure": {
        const { session: sessionId, value } = command;
        const change = { sessionId, configId: "model", value };
        const changed = runtime.setConfigOption(change, OPERATOR, life.gone);
        return {
          told: changed.then(({ options }) => `model is ${String(options[0]?.currentValue)}`),
          predict: () => expected.configure(world, sessionId, value),
        };
      }
      case "subscribe":
        return this.#subscribe(life, command);
      case "resume":
        return this.#resume(life, command);
      case "drop":
        pick(this.#readers, command.at)?.reader.drop();
        return { told: Promise.resolve("ok"), predict: () => "ok" };
      default:
        return this.#read(life, "session" in command ? command.session : "main");
    }
  }

  #read(life: Life, session: SessionName): Issued {
    return {
      told: readAll(life.ctx, session).then(() => "ok"),
      predict: () => (this.#world.sessions.has(session) ? "ok" : "session_not_found"),
    };
  }

  #prompt(life: Life, { session, key: keyNumber, text: textNumber, queue }: Command<"prompt">) {
    const key = keyNumber === null ? null : `key-${keyNumber}`;
    this.#texts += 1;
    const text = key === null ? `text ${this.#texts}` : `${key} ${textNumber}`;
    const incarnation = this.#world.sessions.get(session)?.incarnation;
    const label = `${text} in ${session} ${incarnation}`;
    const input = {
      sessionId: session,
      whenBusy: queue ? ("queue" as const) : ("reject" as const),
      ...(key === null ? {} : { idempotencyKey: key }),
    };
    const told = life.ctx.submit(text, input).then(({ promptId, repeated }) => {
      if (repeated) return `repeated ${this.#names.prompt(promptId)}`;
      this.#names.prompts.set(promptId, label);
      this.#await(life, session, promptId);
      return `accepted ${label}`;
    });
    return { told, predict: () => expected.prompt(this.#world, { session, key, text, queue }) };
  }

  #await(life: Life, sessionId: SessionName, promptId: string): void {
    const label = this.#names.prompt(promptId);
    this.#outcomes.delete(label);
    void life.ctx.runtime
      .promptResult({ sessionId, promptId }, life.gone)
      .then(outcomeOf, codeOf)
      .then((outcome) => {
        if (!life.isGone) this.#outcomes.set(label, outcome);
      });
  }

  #cancel(life: Life, { session, which, at }: Command<"cancel">): Issued {
    const known = pick(
      this.#world.prompts.filter((prompt) => prompt.session === session),
      at,
    );
    const target: ExpectedPrompt | "unknown" | null =
      which === "running" ? null : which === "unknown" ? "unknown" : (known ?? "unknown");
    const promptId =
      target === null
        ? undefined
        : target === "unknown"
          ? "nobody"
          : (this.#names.idOf(target.label) ?? "nobody");
    const call = { sessionId: session, promptId, wait: false };
    return {
      told: life.ctx.runtime.cancelPrompt(call, OPERATOR, life.gone).then(({ status }) => status),
      predict: () => expected.cancel(this.#world, session, target),
    };
  }

  #requests(kind: ExpectedRequest["kind"]): ExpectedRequest[] {
    return this.#world.requests.filter(
      (request) => request.kind === kind && this.#names.requestIdOf(request.title) !== undefined,
    );
  }

  #answer(life: Life, { at, option, digest: choice }: Command<"answer">): Issued {
    const request = pick(this.#requests("permission"), at);
    if (!request) return this.#read(life, "main");
    const target = { sessionId: request.session, requestId: this.#requestId(request) };
    const told = async (): Promise<string> => {
      const { requests } = await life.ctx.runtime.pendingPermissions({});
      const now = requests.find(({ requestId }) => requestId === target.requestId);
      const digest = { none: undefined, right: now?.digest, wrong: "wrong" }[choice];
      const answer = { ...target, optionId: option, digest };
      return inWords(await life.ctx.runtime.respondToPermission(answer, OPERATOR));
    };
    const predict = () => expected.answer(this.#world, request, { option, digest: choice });
    return { told: told(), predict };
  }

  #answerQuestion(life: Life, { at, how }: Command<"answerQuestion">): Issued {
    const request = pick(this.#requests("question"), at);
    if (!request) return this.#read(life, "main");
    const target = { sessionId: request.session, requestId: this.#requestId(request) };
    const answer = questionAnswer(target, how);
    return {
      told: life.ctx.runtime.respondToQuestion(answer, OPERATOR).then(inWords),
      predict: () => expected.answerQuestion(this.#world, request, how),
    };
  }

  #requestId({ title }: ExpectedRequest): string {
    return this.#names.requestIdOf(title) ?? "nobody";
  }

  #subscribe(life: Life, { session: name, from }: Command<"subscribe">): Issued {
    const session = this.#world.sessions.get(name);
    const base = session?.base ?? 0;
    const middle = base + Math.floor((session?.events.length ?? 0) / 2);
    const after = { now: undefined, oldest: 0, middle: middle === 0 ? 0 : middle }[from];
    const sequence = { now: null, oldest: base, middle }[from];
    const start = { session: name, after, lastEventId: null, sequence, live: "" };
    return this.#follow(life, start, session?.incarnation ?? 0);
  }

  #resume(life: Life, { at }: Command<"resume">): Issued {
    const over = this.#readers.filter(({ reader }) => reader.isOver && reader.cursor !== null);
    const back = pick(over, at);
    if (!back) return this.#read(life, "main");
    const { cursor: lastEventId, sequence, live } = back.reader;
    const start = { session: back.session, after: undefined, lastEventId, sequence, live };
    return this.#follow(life, start, back.incarnation);
  }

  #follow(life: Life, start: ReaderStart, incarnation: number): Issued {
    const { session } = start;
    const reader = new Reader(start, this.#journal, this.#seen);
    const running = reader.run(life, null);
    const predict = () => {
      const now = this.#world.sessions.get(session);
      if (!now) return "session_not_found";
      if (now.incarnation !== incarnation) return "history_cursor_expired";
      this.#readers.push({ reader, session, incarnation });
      return "ok";
    };
    const refused = running.then(() => codeOf(reader.error));
    return { told: Promise.race([refused, atRestOf(reader)]), predict };
  }

  /** Nothing that a server says counts any more once it is gone. */
  leave(life: Life): void {
    life.isGone = true;
    life.ends.abort();
    for (const { reader } of this.#readers) {
      reader.drop();
      // What was live and is not stored may be lost with the server.
      reader.live = "";
    }
  }

  /** Asks the next server for every end that was promised. */
  comeBack(life: Life): void {
    for (const { label, session } of this.#world.prompts) {
      const promptId = this.#names.idOf(label);
      const isThere = this.#world.sessions.get(session)?.prompts.some((one) => one.label === label);
      if (promptId !== undefined && isThere) this.#await(life, session, promptId);
    }
  }

  /** Where what readers and waiters were told is not what the model says. */
  differences(): string[] {
    const found: string[] = [...this.#journal.violations];
    for (const { label, outcome, session } of this.#world.prompts) {
      const told = this.#outcomes.get(label) ?? null;
      const isThere = this.#world.sessions.get(session)?.prompts.some((one) => one.label === label);
      if (isThere && told !== outcome) found.push(`${label} ended as ${told}, not ${outcome}`);
    }
    for (const { reader, session: name, incarnation } of this.#readers) {
      const session = this.#world.sessions.get(name);
      if (session?.incarnation !== incarnation) {
        if (!reader.isOver) found.push(`a reader of ${name}, which is gone, waits`);
      } else if (!reader.isOver) {
        const latest = session.base + session.events.length;
        const text = session.open?.text ?? "";
        const saw = `${reader.sequence ?? latest} and "${reader.live}"`;
        const should = `${latest} and "${text}"`;
        if (saw !== should) found.push(`a reader of ${name} is at ${saw}, not ${should}`);
      }
    }
    return found;
  }
}

function inWords(told: { status: string; reason?: string }): string {
  return told.reason === undefined ? told.status : `${told.status} ${told.reason}`;
}

/** A reader that was let in waits for what comes. */
async function atRestOf(reader: Reader): Promise<string> {
  for (let turn = 0; turn < 10 && !reader.isOver; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reader.isOver ? codeOf(reader.error) : "ok";
}
