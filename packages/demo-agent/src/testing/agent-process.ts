/**
 * The real agent in a child process, driven with raw JSON lines: what the tests see is what is
 * on the wire, in its order, and not what a client library makes of it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

const messageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

const updateSchema = z.looseObject({ sessionUpdate: z.string() });

type Json = Record<string, unknown>;
type Message = z.infer<typeof messageSchema>;
export type Update = z.infer<typeof updateSchema>;

export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: Json;
}

export class RpcError extends Error {
  readonly code: number;

  constructor(error: { code: number; message: string }) {
    super(error.message);
    this.code = error.code;
  }
}

/** A folder that lasts as long as the test. */
export async function temporaryDir(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "signalbox-demo-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export class AgentProcess implements AsyncDisposable {
  /** Every message of the agent, in wire order. */
  readonly messages: Message[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Set<() => void>();
  #nextId = 1;
  #closed = false;

  constructor(stateDir: string, env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, ["--import", "tsx", MAIN], {
      env: {
        PATH: process.env.PATH,
        SIGNALBOX_DEMO_STATE_DIR: stateDir,
        SIGNALBOX_DEMO_DELAY_MS: "0",
        ...env,
      },
    });
    this.exited = once(this.#child, "close").then(([code, signal]) => {
      this.#closed = true;
      this.#wake();
      return { code, signal };
    });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    // A write to an agent that ended on purpose fails; its end is what the tests look at.
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.messages.push(messageSchema.parse(JSON.parse(line)));
      this.#wake();
    });
  }

  /** Starts the agent and initialises it. */
  static async start(stateDir: string, env?: Record<string, string>): Promise<AgentProcess> {
    const agent = new AgentProcess(stateDir, env);
    await agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: {
        session: { configOptions: { boolean: {} } },
        elicitation: { form: {}, url: {} },
      },
    });
    return agent;
  }

  async newSession(cwd: string): Promise<string> {
    const result = await this.request("session/new", { cwd, mcpServers: [] });
    return z.looseObject({ sessionId: z.string() }).parse(result).sessionId;
  }

  /** Prompts with one text block; resolves with the stop reason. */
  async prompt(sessionId: string, text: string): Promise<string> {
    const prompt = [{ type: "text", text }];
    const result = await this.request("session/prompt", { sessionId, prompt });
    return z.object({ stopReason: z.string() }).parse(result).stopReason;
  }

  async request(method: string, params: Json): Promise<Json> {
    const id = this.#nextId++;
    this.#write({ id, method, params });
    const response = await this.waitFor((message) =>
      message.id === id && message.method === undefined ? message : undefined,
    );
    if (response.error) throw new RpcError(response.error);
    return z.record(z.string(), z.unknown()).parse(response.result);
  }

  notify(method: string, params: Json): void {
    this.#write({ method, params });
  }

  answer(asked: Asked, result: Json): void {
    this.#write({ id: asked.id, result });
  }

  /** All requests of the agent so far, once there are at least `count`. */
  async asked(count: number): Promise<Asked[]> {
    await this.until(() => this.#asked().length >= count);
    return this.#asked();
  }

  #asked(): Asked[] {
    return this.messages.flatMap(({ id, method, params }) =>
      id !== undefined && method !== undefined ? [{ id, method, params: params ?? {} }] : [],
    );
  }

  /** The updates so far, in wire order. */
  updates(kind?: string): Update[] {
    return this.messages.flatMap(({ method, params }) => {
      if (method !== "session/update") return [];
      const update = updateSchema.parse(params?.update);
      return kind === undefined || update.sessionUpdate === kind ? [update] : [];
    });
  }

  /** All text of one kind of chunk. */
  text(kind = "agent_message_chunk"): string {
    const chunk = z.looseObject({ content: z.object({ text: z.string() }) });
    return this.updates(kind)
      .map((update) => chunk.parse(update).content.text)
      .join("");
  }

  /** The first message for which `pick` gives something, past or future. */
  async waitFor<T>(pick: (message: Message) => T | undefined): Promise<T> {
    let found: T | undefined;
    await this.until(() => {
      for (const message of this.messages) found ??= pick(message);
      return found !== undefined;
    });
    if (found === undefined) throw new Error("the agent ended without what was waited for");
    return found;
  }

  /** Waits until `holds`, which is looked at after each thing the agent says or does. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#closed) throw new Error(`the agent ended early: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.exited;
  }

  #write(message: Json): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
