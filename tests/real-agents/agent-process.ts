/** A bare ACP client over stdio, to look at an agent without the server between. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { JsonObject } from "@signalbox/protocol";
import { z } from "zod";
import type { CatalogueEntry } from "./agents.ts";
import { processesWithHome } from "./process-table.ts";

const wireMessage = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      update: z
        .looseObject({
          sessionUpdate: z.string(),
          content: z.looseObject({ text: z.string().optional() }).optional().catch(undefined),
        })
        .optional(),
    })
    .optional(),
  result: z.record(z.string(), z.json()).nullish(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type WireMessage = z.infer<typeof wireMessage>;

export class AgentProcess implements AsyncDisposable {
  /** The text of all agent messages so far. */
  text = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #home: string;
  readonly #answers = new Map<number, (message: WireMessage) => void>();
  #stderr = "";

  constructor(entry: CatalogueEntry, environment: Record<string, string>, cwd: string) {
    this.#home = entry.env.HOME ?? "";
    this.#child = spawn(entry.command, entry.args, {
      cwd,
      env: { PATH: process.env.PATH, ...entry.env, ...environment },
      detached: true,
    });
    this.#child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#stderr += chunk;
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#receive(wireMessage.parse(JSON.parse(line)));
    });
  }

  /** @throws Error with the agent's message, or with its stderr when it exits instead */
  async request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = this.#answers.size;
    const answer = new Promise<WireMessage>((resolve) => this.#answers.set(id, resolve));
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const exit = once(this.#child, "exit").then(() => {
      throw new Error(`the agent exited during ${method}: ${this.#stderr}`);
    });
    const { result, error } = await Promise.race([answer, exit]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Kills the agent and everything that has its HOME, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    const isRunning = pid !== undefined && exitCode === null && signalCode === null;
    const exit = isRunning ? once(this.#child, "exit") : Promise.resolve();
    for (const left of processesWithHome(this.#home)) process.kill(left.pid, "SIGKILL");
    await exit;
  }

  #receive({ id, method, params, result, error }: WireMessage): void {
    const update = params?.update;
    if (update?.sessionUpdate === "agent_message_chunk") this.text += update.content?.text ?? "";
    if (typeof id === "number" && method === undefined) this.#answers.get(id)?.({ result, error });
  }
}
