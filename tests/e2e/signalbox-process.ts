/**
 * Signalbox as an operator runs it: `npm start`'s own script in a process, with the production
 * console, on a data folder that lives as long as the test.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { killAll, waitUntilGone } from "../support/marked-processes.ts";

const START_SCRIPT = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
const READY = /^Signalbox is ready at (\S+)$/;
const CONSOLE_LIMIT_MS = 30_000;
const POLL_MS = 50;
const LOGIN = /^Log in at (\S+)$/;

export class SignalboxProcess {
  readonly #rootDir: string;
  #child: ChildProcess | null = null;
  #exited: Promise<number | null> = Promise.resolve(null);
  #port = "0";
  #stderr = "";
  #url = "";
  #loginLink: string | null = null;

  private constructor(rootDir: string) {
    this.#rootDir = rootDir;
  }

  static async create(): Promise<SignalboxProcess> {
    const rootDir = await realpath(await mkdtemp(path.join(tmpdir(), "signalbox-e2e-")));
    const workspace = path.join(rootDir, "workspace");
    await mkdir(workspace);
    await writeFile(
      path.join(rootDir, "signalbox.config.json"),
      JSON.stringify({
        agents: { demo: { builtin: "demo" } },
        workspaces: { default: workspace, roots: [workspace] },
      }),
    );
    return new SignalboxProcess(rootDir);
  }

  /** Where it keeps its data; nothing is there before the first start. */
  get dataDir(): string {
    return path.join(this.#rootDir, "data");
  }

  get workspace(): string {
    return path.join(this.#rootDir, "workspace");
  }

  get url(): string {
    return this.#url;
  }

  /** What it logged, over all its starts. */
  get stderr(): string {
    return this.#stderr;
  }

  /** @throws Error when the process that runs now printed none */
  get loginLink(): string {
    if (this.#loginLink === null) throw new Error("no login link was printed");
    return this.#loginLink;
  }

  /**
   * Starts it, or starts it again on the same data and the same port.
   *
   * @param isConsoleAwaited false to return while the console may still be starting
   * @throws Error with its stderr when it ends before it is ready
   */
  async start({ isConsoleAwaited = true } = {}): Promise<void> {
    const child = spawn(process.execPath, [START_SCRIPT], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: this.#rootDir,
        SIGNALBOX_CONFIG: path.join(this.#rootDir, "signalbox.config.json"),
        SIGNALBOX_DATA_DIR: this.dataDir,
        SIGNALBOX_PORT: this.#port,
      },
    });
    this.#child = child;
    this.#loginLink = null;
    this.#exited = once(child, "close").then(([code]) => code);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    await Promise.race([this.#ready(child), this.#exited.then((code) => this.#fail(code))]);
    this.#port = new URL(this.#url).port;
    if (isConsoleAwaited) await this.#consoleAnswers();
  }

  /** The server is ready first; the console follows. */
  async #consoleAnswers(): Promise<void> {
    const deadline = performance.now() + CONSOLE_LIMIT_MS;
    for (;;) {
      const { status } = await fetch(`${this.#url}/login`);
      if (status === 200) return;
      if (performance.now() > deadline) throw new Error(`the console answers ${status}`);
      await delay(POLL_MS);
    }
  }

  /** Resolves when it is ready and, until somebody has logged in, the link is printed. */
  #ready(child: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      if (child.stdout === null) return;
      const isFirstStart = this.#port === "0";
      createInterface({ input: child.stdout }).on("line", (line) => {
        this.#url = READY.exec(line)?.[1] ?? this.#url;
        this.#loginLink = LOGIN.exec(line)?.[1] ?? this.#loginLink;
        if (this.#url !== "" && (!isFirstStart || this.#loginLink !== null)) resolve();
      });
    });
  }

  #fail(code: number | null): never {
    throw new Error(`Signalbox ended with exit code ${code} before it was ready:\n${this.#stderr}`);
  }

  /** Ends it as a power cut would. */
  async kill9(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#exited;
  }

  /**
   * Stops it in order and removes its data.
   *
   * @throws Error when it did not end well or left a process behind
   */
  async close(): Promise<void> {
    try {
      this.#child?.kill("SIGTERM");
      const code = await this.#exited;
      if (code !== 0) throw new Error(`Signalbox stopped with ${code}:\n${this.#stderr}`);
      await waitUntilGone(this.#rootDir);
    } finally {
      await killAll(this.#rootDir);
      await rm(this.#rootDir, { recursive: true, force: true });
    }
  }
}
