/** Everything that a test needs around it: stand-in, agents with homes, server, client. */
import path from "node:path";
import type { SignalboxClient } from "@signalbox/client";
import type { TestContext } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import { type AgentUnderTest, agentsUnderTest } from "./agents.ts";
import { ModelApi } from "./model-api/model-api.ts";
import { processesWithHome, type RunningProcess } from "./process-table.ts";

/** The operator's words for every agent. */
export const INSTRUCTIONS = "Keep the harbour clean.";

export class Stage implements AsyncDisposable {
  readonly modelApi: ModelApi;
  readonly server: ServerProcess;
  readonly client: SignalboxClient;
  #toldLength = 0;

  private constructor(modelApi: ModelApi, server: ServerProcess, client: SignalboxClient) {
    this.modelApi = modelApi;
    this.server = server;
    this.client = client;
  }

  static async start(): Promise<Stage> {
    const modelApi = await ModelApi.start();
    const server = await ServerProcess.prepare({
      env: Object.fromEntries(agentsUnderTest.map(({ key }) => [key.name, key.value])),
    });
    try {
      await server.writeConfig(configFor(server, modelApi));
      await server.start();
      return new Stage(modelApi, server, await server.connect());
    } catch (error) {
      await server[Symbol.asyncDispose]();
      await modelApi[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The agent's processes and all that they started, wherever they went. */
  processesOf(agent: AgentUnderTest): RunningProcess[] {
    return processesWithHome(this.homeOf(agent));
  }

  homeOf({ id }: AgentUnderTest): string {
    return homeOf(this.server, id);
  }

  /** For `afterEach`: shows what the server wrote during a test that failed. */
  tellFailure({ task }: TestContext): void {
    const written = this.server.stderr.slice(this.#toldLength);
    this.#toldLength += written.length;
    if (task.result?.state === "fail") process.stderr.write(`${task.name}:\n${written}`);
  }

  /** Stops the server in order. @throws Error when it leaves a process behind */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.server[Symbol.asyncDispose]();
    } finally {
      await this.modelApi[Symbol.asyncDispose]();
    }
  }
}

function configFor(server: ServerProcess, modelApi: ModelApi) {
  const agents = agentsUnderTest.map(({ id, entry }) => [
    id,
    entry(homeOf(server, id), modelApi.url),
  ]);
  return {
    agents: Object.fromEntries(agents),
    workspaces: { default: server.workspace, roots: [server.workspace] },
    instructions: INSTRUCTIONS,
    // Both agents ignore the end of their stdin, so that every stop takes the whole grace.
    limits: { acp: { stopGraceMs: 1_000 } },
  };
}

function homeOf(server: ServerProcess, agentId: string): string {
  return path.join(server.rootDir, `home-${agentId}`);
}
