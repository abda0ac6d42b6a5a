/** Everything that a test needs around it: stand-in, agents with homes, server, client. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect, type SignalboxClient } from "@signalbox/client";
import { type AgentUnderTest, agentsUnderTest } from "./agents.ts";
import { ModelApi } from "./model-api/model-api.ts";
import { processesWithHome, type RunningProcess } from "./process-table.ts";
import { ServerProcess } from "./server-process.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

/** The operator's words for every agent. */
export const INSTRUCTIONS = "Keep the harbour clean.";

export class Stage implements AsyncDisposable {
  readonly modelApi: ModelApi;
  readonly server: ServerProcess;
  readonly client: SignalboxClient;
  /** The folder in which agents work. */
  readonly workspace: string;
  readonly #folder: TemporaryFolder;

  private constructor(
    folder: TemporaryFolder,
    workspace: string,
    modelApi: ModelApi,
    server: ServerProcess,
  ) {
    this.#folder = folder;
    this.workspace = workspace;
    this.modelApi = modelApi;
    this.server = server;
    this.client = connect({ url: server.url, token: server.adminToken });
  }

  static async start(): Promise<Stage> {
    const folder = new TemporaryFolder();
    const workspace = join(folder.path, "workspace");
    mkdirSync(workspace);
    const modelApi = await ModelApi.start();
    const agents = agentsUnderTest.map(({ id, entry }) => [
      id,
      { ...entry(homeOf(folder, id), modelApi.url) },
    ]);
    try {
      const server = await ServerProcess.start({
        folder: folder.path,
        config: {
          agents: Object.fromEntries(agents),
          workspaces: { default: workspace, roots: [workspace] },
          instructions: INSTRUCTIONS,
        },
        environment: Object.fromEntries(agentsUnderTest.map(({ key }) => [key.name, key.value])),
      });
      return new Stage(folder, workspace, modelApi, server);
    } catch (error) {
      await modelApi[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** The agent's processes and all that they started, wherever they went. */
  processesOf({ id }: AgentUnderTest): RunningProcess[] {
    return processesWithHome(homeOf(this.#folder, id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.close();
      await this.server.stop();
      await this.modelApi[Symbol.asyncDispose]();
    } finally {
      this.#folder[Symbol.dispose]();
    }
  }
}

function homeOf(folder: TemporaryFolder, agentId: string): string {
  return join(folder.path, `home-${agentId}`);
}
