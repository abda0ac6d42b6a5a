/**
 * Agents as child processes.
 *
 * Each leads a process group of its own, and every descendant carries the launch's mark. When
 * the leader ends, for whatever reason, the rest of its family is ended too.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@signalbox/protocol";
import type {
  AgentExit,
  AgentTransport,
  LaunchAgent,
  LaunchSpec,
  StderrTail,
  StopOptions,
} from "../wire/agent-transport.ts";
import { drainAfterExit } from "./exit-drain.ts";
import { sweepMarked } from "./mark-sweep.ts";
import { listProcesses, MARK_VARIABLE } from "./process-table.ts";
import { ByteTail } from "./stderr-tail.ts";

/** What processes get that an agent left behind when it ended by itself. */
const ORPHAN_GRACE_MS = 1_000;
const GROUP_POLL_MS = 25;

type AgentChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts an agent as a child process; see {@link LaunchAgent}. */
export const spawnAgent: LaunchAgent = async (spec, signal) => {
  signal.throwIfAborted();
  const child = await startChild(spec);
  return new ChildAgent(child, spec);
};

async function startChild(spec: LaunchSpec): Promise<AgentChild & { readonly pid: number }> {
  let child: AgentChild;
  try {
    child = spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env, [MARK_VARIABLE]: spec.mark },
      shell: false,
      detached: true,
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (cause) {
    throw spawnFailure(spec, cause);
  }
  if (hasPid(child)) return child;
  // Without a pid nothing runs and, when descriptors are short, there are no pipes either.
  const cause = await new Promise((resolve) => child.once("error", resolve));
  throw spawnFailure(spec, cause);
}

function hasPid(child: AgentChild): child is AgentChild & { readonly pid: number } {
  return child.pid !== undefined;
}

function spawnFailure(spec: LaunchSpec, cause: unknown): AppError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
  return new AppError(
    "adapter_spawn_failed",
    `could not start ${spec.command} in ${spec.cwd}: ${reason}`,
    { details: { phase: "spawn", exitCode: null, signal: null, stderrTail: "" }, cause },
  );
}

class ChildAgent implements AgentTransport {
  readonly stdout: Readable;
  readonly pid: number;
  readonly exited: Promise<AgentExit>;
  readonly #child: AgentChild;
  readonly #mark: string;
  readonly #stderr: ByteTail;
  readonly #exit: Promise<AgentExit>;
  /** Settles when the whole family is gone. */
  readonly #cleaned: Promise<void>;
  /** Aborted when patience is over. */
  readonly #hurry = new AbortController();
  #hasExited = false;
  #isOrdered = false;
  #stopping: Promise<void> | null = null;

  constructor(child: AgentChild & { readonly pid: number }, spec: LaunchSpec) {
    this.#child = child;
    this.#mark = spec.mark;
    this.#stderr = new ByteTail(spec.stderrTailBytes);
    this.pid = child.pid;
    this.stdout = child.stdout;
    this.#exit = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#hasExited = true;
        resolve({ code, signal });
      });
    });
    // Each of these is told otherwise: a failed write by its promise, all else by the exit.
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) {
      emitter.on("error", () => {});
    }
    this.#readStderr(spec.onStderr);
    this.exited = this.#settleExit();
    this.#cleaned = this.#exit.then(() => this.#endRest());
    // Heard by whoever stops this agent; nobody need be listening yet.
    this.#cleaned.catch(() => {});
  }

  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(`${line}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  stderrTail(): StderrTail {
    return this.#stderr.read();
  }

  async stop(options: StopOptions): Promise<AgentExit> {
    const hurry = (): void => this.#hurry.abort();
    if (options.graceMs === 0 || options.signal?.aborted) hurry();
    options.signal?.addEventListener("abort", hurry, { once: true });
    try {
      this.#stopping ??= this.#endFamily(options.graceMs);
      await this.#stopping;
      return await this.exited;
    } finally {
      options.signal?.removeEventListener("abort", hurry);
    }
  }

  #readStderr(onStderr: LaunchSpec["onStderr"]): void {
    const decoder = new StringDecoder("utf8");
    const tell = (text: string): void => {
      if (text !== "") onStderr?.(text);
    };
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr.push(chunk);
      tell(decoder.write(chunk));
    });
    this.#child.stderr.once("end", () => tell(decoder.end()));
  }

  async #settleExit(): Promise<AgentExit> {
    const exit = await this.#exit;
    const { stdin, stdout, stderr } = this.#child;
    await drainAfterExit([stdout, stderr]);
    // A descendant may hold the other ends open for as long as it likes.
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
    return exit;
  }

  /** Runs after any exit of the leader; an ordered stop has its own patience with the rest. */
  async #endRest(): Promise<void> {
    if (this.#isOrdered) return;
    await this.exited;
    await this.#signalAndWait("SIGTERM", ORPHAN_GRACE_MS);
    await this.#killRest();
  }

  async #endFamily(graceMs: number): Promise<void> {
    if (this.#hasExited) return this.#cleaned;
    this.#isOrdered = true;
    this.endInput();
    if (!(await this.#isGoneWithin(graceMs / 2))) {
      await this.#signalAndWait("SIGTERM", graceMs);
    }
    await this.#killRest();
  }

  async #killRest(): Promise<void> {
    this.#signalGroup("SIGKILL");
    await this.#exit;
    await sweepMarked((mark) => mark === this.#mark);
  }

  async #signalAndWait(signal: NodeJS.Signals, waitMs: number): Promise<void> {
    if (this.#signalGroup(signal)) await this.#isGoneWithin(waitMs);
  }

  /** Waits for the leader's exit, and then for what it left in its group. */
  async #isGoneWithin(waitMs: number): Promise<boolean> {
    const over = new AbortController();
    const end = (): void => over.abort();
    const timer = setTimeout(end, waitMs);
    this.#hurry.signal.addEventListener("abort", end, { once: true });
    if (this.#hurry.signal.aborted) end();
    const isOver = aborted(over.signal);
    try {
      await Promise.race([this.#exit, isOver]);
      while (!over.signal.aborted) {
        if (!(await this.#hasGroup())) return true;
        await Promise.race([delay(GROUP_POLL_MS), isOver]);
      }
      return false;
    } finally {
      clearTimeout(timer);
      this.#hurry.signal.removeEventListener("abort", end);
    }
  }

  async #hasGroup(): Promise<boolean> {
    if (!this.#signalGroup(0)) return false;
    try {
      // Dead members that nobody has collected yet still answer to signals.
      return (await listProcesses()).some((row) => row.groupId === this.pid);
    } catch {
      // Short of descriptors, say. The ladder must reach SIGKILL; the sweep tells if this lasts.
      return true;
    }
  }

  /** Only used until the family is gone: afterwards the number may belong to another group. */
  #signalGroup(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
