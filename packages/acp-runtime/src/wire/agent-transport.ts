import type { Readable } from "node:stream";

/** How an agent ended. Both are null when nobody could tell. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function exitInWords({ code, signal }: AgentExit): string {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? "exit unknown" : `exit code ${code}`;
}

export interface StderrTail {
  readonly text: string;
  /** True when earlier output no longer fits. */
  readonly truncated: boolean;
}

export interface StopOptions {
  /**
   * Patience in milliseconds: half of it after the end of stdin, all of it after SIGTERM.
   * 0 kills at once, also when an earlier call was more patient.
   */
  readonly graceMs: number;
  /** Aborting it cuts the remaining patience short; the agent is still stopped. */
  readonly signal?: AbortSignal;
}

/** What the runtime needs from a running agent, whether a child process or a scripted one. */
export interface AgentTransport {
  /** Bytes from the agent. Ends or closes at the latest when {@link exited} settles. */
  readonly stdout: Readable;
  /**
   * Sends one line; the transport adds the line break. Resolves when the pipe took it and
   * rejects when the agent cannot be reached any more. A rejection is not news of the exit:
   * the agent may live on with its stdin closed.
   */
  write(line: string): Promise<void>;
  /** Ends the agent's stdin, which most agents take as the request to leave. */
  endInput(): void;
  /** Null for an agent that is not a process. */
  readonly pid: number | null;
  /** Settles once, when the agent is gone for any reason and its output has been read. Never rejects. */
  readonly exited: Promise<AgentExit>;
  stderrTail(): StderrTail;
  /**
   * Ends the agent and everything it started, then resolves with {@link exited}. Safe to call
   * again, and worth calling after an exit: it waits until what the agent left behind is gone.
   *
   * @throws Error when a process survives SIGKILL
   */
  stop(options: StopOptions): Promise<AgentExit>;
}

export interface LaunchSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment; nothing of the server's own is added but the mark. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Unique to this launch; every descendant inherits it as `SIGNALBOX_MARK`. */
  readonly mark: string;
  /** How many bytes of stderr are kept. */
  readonly stderrTailBytes: number;
  /** Called with each piece of stderr as it arrives, characters never split. */
  readonly onStderr?: (text: string) => void;
}

/**
 * Starts one agent. Aborting `signal` before it resolves rejects with the signal's reason and
 * leaves no process; later it has no effect.
 *
 * @throws AppError `adapter_spawn_failed` with details `{phase: "spawn", exitCode, signal, stderrTail}`
 */
export type LaunchAgent = (spec: LaunchSpec, signal: AbortSignal) => Promise<AgentTransport>;
