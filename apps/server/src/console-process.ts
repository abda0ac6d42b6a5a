/** The console's own process: restarted when it crashes, never able to touch a running agent. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Log } from "./log.ts";

const HOST_FILE = fileURLToPath(new URL("../../console/host.mjs", import.meta.url));
const FIRST_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
const STOP_GRACE_MS = 3_000;

const listeningMessage = z.object({ type: z.literal("listening"), port: z.number() });

export class ConsoleProcess {
  readonly #log: Log;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #url: string | null = null;
  #restartMs = FIRST_RESTART_MS;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(log: Log, environment: Readonly<Record<string, string>>) {
    this.#log = log;
    this.#environment = environment;
  }

  /** Where it answers; null while it starts. */
  get url(): string | null {
    return this.#url;
  }

  start(): void {
    const child = spawn(process.execPath, [HOST_FILE], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...this.#environment, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
    this.#child = child;
    const relay = (chunk: Buffer) => this.#log.debug("console", { text: chunk.toString("utf8") });
    child.stdout?.on("data", relay);
    child.stderr?.on("data", (chunk: Buffer) =>
      this.#log.warn("console", { text: chunk.toString("utf8") }),
    );
    child.on("message", (message) => {
      const parsed = listeningMessage.safeParse(message);
      if (!parsed.success) return;
      this.#url = `http://127.0.0.1:${parsed.data.port}`;
      this.#restartMs = FIRST_RESTART_MS;
      this.#log.debug("the console answers", { url: this.#url });
    });
    child.on("error", (error) =>
      this.#log.error("the console cannot be started", { reason: error.message }),
    );
    child.once("exit", (code, signal) => this.#onExit(code, signal));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
    await exited;
    clearTimeout(timer);
  }

  /** Ends it at once, for a stop that waits for nothing. */
  kill(): void {
    this.#isStopped = true;
    this.#child?.kill("SIGKILL");
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#url = null;
    if (this.#isStopped) return;
    this.#log.error("the console exited and is started again", {
      code,
      signal,
      inMs: this.#restartMs,
    });
    this.#restartTimer = setTimeout(() => this.start(), this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 2, MAX_RESTART_MS);
  }
}
