/**
 * The real server in a process of its own, with a data folder, a workspace and a configuration
 * file that live as long as the test.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connect, type SignalboxClient } from "@signalbox/client";
import { killAll, markedProcesses, waitUntilGone } from "./marked-processes.ts";

const ROOT_DIR = fileURLToPath(new URL("../..", import.meta.url));
const READY = /^Signalbox is ready at (http:\/\/\S+)$/;
/** Only for a server that hangs: a good one needs a small part of it. */
const STOP_LIMIT_MS = 30_000;

export const CHILD_AGENT = path.join(
  ROOT_DIR,
  "packages/acp-runtime/src/testing/fixtures/child-agent.mjs",
);

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerOptions {
  /** Entries beside `demo`, which streams without pauses. */
  agents?: Record<string, unknown>;
  /** `limits.acp` of the configuration. */
  limits?: Record<string, number>;
  /** `limits.connections` of the configuration. */
  connectionLimits?: Record<string, number>;
  /** `server` of the configuration. */
  server?: Record<string, unknown>;
  env?: Record<string, string>;
}

/** A catalogue entry of the agent that misbehaves on purpose. */
export function childAgent(...args: string[]): Record<string, unknown> {
  return { command: process.execPath, args: [CHILD_AGENT, ...args] };
}

export class ServerProcess implements AsyncDisposable {
  /** Holds everything else; canonical, as the server reports paths. */
  readonly rootDir: string;
  readonly #env: Record<string, string>;
  readonly #clients: SignalboxClient[] = [];
  #run: Run | null = null;

  private constructor(rootDir: string, env: Record<string, string>) {
    this.rootDir = rootDir;
    this.#env = env;
  }

  /** Writes the configuration without starting anything. */
  static async prepare(options: ServerOptions = {}): Promise<ServerProcess> {
    const rootDir = await realpath(await mkdtemp(path.join(tmpdir(), "signalbox-test-")));
    const server = new ServerProcess(rootDir, {
      PATH: process.env.PATH ?? "",
      HOME: rootDir,
      SIGNALBOX_CONFIG: path.join(rootDir, "signalbox.config.json"),
      SIGNALBOX_DATA_DIR: path.join(rootDir, "data"),
      SIGNALBOX_PORT: "0",
      SIGNALBOX_CONSOLE: "off",
      SIGNALBOX_DEMO_DELAY_MS: "0",
      ...options.env,
    });
    await mkdir(server.workspace);
    await server.writeConfig({
      agents: { demo: { builtin: "demo" }, ...options.agents },
      ...(options.server === undefined ? {} : { server: options.server }),
      workspaces: { default: server.workspace, roots: [server.workspace] },
      limits: {
        acp: { cancelGraceMs: 1_000, stopGraceMs: 1_000, ...options.limits },
        connections: { ...options.connectionLimits },
      },
    });
    return server;
  }

  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const server = await ServerProcess.prepare(options);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  get workspace(): string {
    return path.join(this.rootDir, "workspace");
  }

  get dataDir(): string {
    return this.#env.SIGNALBOX_DATA_DIR ?? "";
  }

  get configFile(): string {
    return this.#env.SIGNALBOX_CONFIG ?? "";
  }

  get url(): string {
    return this.#running().url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.#running().pid;
  }

  /** Everything that the present or last process wrote there. */
  get stderr(): string {
    return this.#run?.stderr ?? "";
  }

  get stdout(): string {
    return this.#run?.stdout ?? "";
  }

  async adminToken(): Promise<string> {
    return (await readFile(path.join(this.dataDir, "admin-token"), "utf8")).trimEnd();
  }

  /** A client with all scopes; closed with the server. */
  async connect(): Promise<SignalboxClient> {
    const client = connect({ url: this.url, token: await this.adminToken() });
    this.#clients.push(client);
    return client;
  }

  writeConfig(config: unknown): Promise<void> {
    const text = typeof config === "string" ? config : JSON.stringify(config, null, 2);
    return writeFile(this.configFile, text);
  }

  /**
   * Starts the server, or starts it again on the same data and the same port.
   *
   * @throws Error with its stderr when it ends before it is ready
   */
  async start(): Promise<void> {
    const exit = await this.attempt();
    if (exit) throw new Error(`the server ended with ${JSON.stringify(exit)}:\n${this.stderr}`);
    // Clients that follow over a restart look for the server where it was.
    this.#env.SIGNALBOX_PORT = String(this.port);
  }

  /** Starts the server and resolves with its exit when it does not come up, else with null. */
  async attempt(env: Record<string, string> = {}): Promise<ServerExit | null> {
    this.#run = new Run({ ...this.#env, ...env });
    return this.#run.settled;
  }

  /** Ends the server as a power cut would, leaving its adapters to themselves. */
  async kill9(): Promise<void> {
    const run = this.#running();
    run.signal("SIGKILL");
    await run.exited;
  }

  /** Asks the server to stop and resolves with how it did. */
  async term(): Promise<ServerExit> {
    const run = this.#running();
    run.signal("SIGTERM");
    return run.exited;
  }

  /** Hangs up on its stdout and stderr, as a pipe does whose reader ended first. */
  closeOutput(): void {
    this.#running().closeOutput();
  }

  sendSignal(signal: NodeJS.Signals): void {
    this.#running().signal(signal);
  }

  /** How the present or last process ended. */
  get exited(): Promise<ServerExit> {
    if (!this.#run) throw new Error("the server was never started");
    return this.#run.exited;
  }

  /** Adapters and whatever they started that are alive. */
  adapters(): Promise<number[]> {
    return markedProcesses(this.rootDir);
  }

  /** @throws Error when adapters of this server are still alive after a moment */
  assertNoAdapters(): Promise<void> {
    return waitUntilGone(this.rootDir);
  }

  /** Stops the server in order and fails the test when it leaves a process behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all(this.#clients.map((client) => client.close()));
      if (this.#run?.isAlive) {
        await this.#stopInTime(this.#run);
        await this.assertNoAdapters();
      }
    } finally {
      await killAll(this.rootDir);
      await rm(this.rootDir, { recursive: true, force: true });
    }
  }

  async #stopInTime(run: Run): Promise<void> {
    run.signal("SIGTERM");
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      run.signal("SIGKILL");
    }, STOP_LIMIT_MS);
    await run.exited;
    clearTimeout(limit);
    if (isLate) throw new Error(`the server did not stop within ${STOP_LIMIT_MS} ms`);
  }

  #running(): Run {
    if (!this.#run?.isAlive) throw new Error("the server is not running");
    return this.#run;
  }
}

/** One process of the server. */
class Run {
  readonly exited: Promise<ServerExit>;
  /** Null once it is ready, else how it ended. */
  readonly settled: Promise<ServerExit | null>;
  readonly #child: ChildProcess;
  #url: string | null = null;
  stderr = "";
  stdout = "";

  constructor(env: Record<string, string>) {
    const args = ["--import", "tsx", "apps/server/src/main.ts"];
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(process.execPath, args, { cwd: ROOT_DIR, env, stdio });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.exited = once(child, "close").then(([code, signal]) => ({ code, signal }));
    const ready = new Promise<null>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        this.stdout += `${line}\n`;
        const url = READY.exec(line)?.[1];
        if (url === undefined) return;
        this.#url = url;
        resolve(null);
      });
    });
    this.settled = Promise.race([ready, this.exited]);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get url(): string {
    if (this.#url === null) throw new Error("the server is not ready yet");
    return this.#url;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("the server could not be spawned");
    return this.#child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}
