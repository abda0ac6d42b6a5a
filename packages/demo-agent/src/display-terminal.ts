import { randomUUID } from "node:crypto";
import { OpenToolCall } from "./tool-call.ts";
import type { Turn } from "./turn.ts";

export interface SimulatedCommand {
  readonly command: string;
  /** What the command prints, piece by piece; may hold ANSI colours. */
  readonly output: readonly string[];
  readonly exitCode: number;
}

/**
 * Shows a command running in a terminal that this agent owns: the client never created it and
 * learns of its output through `_meta`. Nothing is run.
 */
export async function showCommand(turn: Turn, simulated: SimulatedCommand): Promise<void> {
  const { command, output, exitCode } = simulated;
  const terminalId = `term-${randomUUID()}`;
  const { cwd } = turn.session;
  const call = await OpenToolCall.start(turn, {
    title: command,
    name: "shell",
    kind: "execute",
    rawInput: { command, cwd },
    content: [{ type: "terminal", terminalId }],
    _meta: { terminal_info: { terminal_id: terminalId, cwd } },
  });
  await call.update({ status: "in_progress" });
  for (const data of output) {
    await call.update({ _meta: { terminal_output: { terminal_id: terminalId, data } } });
    await turn.beats(5);
  }
  await call.update({
    status: exitCode === 0 ? "completed" : "failed",
    rawOutput: { exitCode, output: output.join("") },
    _meta: { terminal_exit: { terminal_id: terminalId, exit_code: exitCode, signal: null } },
  });
}
