/**
 * The bundled server in a process of its own, with a fresh data folder and nothing of the user's
 * environment.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@signalbox/protocol";

const READY = /^Signalbox is ready at (http:\S+)$/;

const entryPoint = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));

export interface ServerOptions {
  /** Where its configuration and data go. */
  folder: string;
  config: JsonObject;
  /** Added to its environment, such as the keys that agents are passed. */
  environment: Record<string, string>;
}

export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #dataDir: string;
  #url = "";
  #log = "";

  private constructor({ folder, config, environment }: ServerOptions) {
    this.#dataDir = join(folder, "data");
    const configFile = join(folder, "signalbox.config.json");
    writeFileSync(configFile, JSON.stringify(config));
    this.#child = spawn(process.execPath, ["--enable-source-maps", entryPoint], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        SIGNALBOX_CONFIG: configFile,
        SIGNALBOX_DATA_DIR: this.#dataDir,
        SIGNALBOX_PORT: "0",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#exit = once(this.#child, "exit");
  }

  /** @throws Error with the server's log when it exits before it is ready */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    await server.#becomeReady();
    return server;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Everything it wrote to stderr. */
  get log(): string {
    return this.#log;
  }

  /** The secret of the token with all scopes. */
  get adminToken(): string {
    return readFileSync(join(this.#dataDir, "admin-token"), "utf8").trim();
  }

  /** Ends it in order, with SIGTERM. @returns its exit code, or the signal that ended it */
  async stop(): Promise<number | string> {
    this.#child.kill("SIGTERM");
    await this.#exit;
    return this.#child.exitCode ?? this.#child.signalCode ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #becomeReady(): Promise<void> {
    const { stdout, stderr } = this.#child;
    if (!stdout || !stderr) throw new Error("the server was started without pipes");
    stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#log += chunk;
    });
    return new Promise((resolve, reject) => {
      createInterface({ input: stdout }).on("line", (line) => {
        const [, url] = READY.exec(line) ?? [];
        if (url === undefined) return;
        this.#url = url;
        resolve();
      });
      this.#exit.then(
        () => reject(new Error(`the server exited before it was ready:\n${this.#log}`)),
        reject,
      );
    });
  }
}
