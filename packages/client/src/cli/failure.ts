import { EXIT_CODE } from "@signalbox/protocol";
import { SignalboxConnectionError, SignalboxError } from "../errors.ts";

/** Ends a command with one sentence; `facts` is what `--json` shows beside it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.facts = facts;
  }
}

export interface ToldFailure {
  exitCode: number;
  message: string;
  facts: Readonly<Record<string, unknown>>;
}

/** What a person and a script hear of a failure; a bug keeps its stack. */
export function tellFailure(error: unknown): ToldFailure {
  if (error instanceof CommandFailure) {
    return { exitCode: EXIT_CODE.usage, message: error.message, facts: error.facts };
  }
  if (error instanceof SignalboxError) {
    const { code, message, details } = error;
    return { exitCode: EXIT_CODE.usage, message, facts: { code, details } };
  }
  if (error instanceof SignalboxConnectionError) {
    const message = `Signalbox does not answer: ${error.message}`;
    return { exitCode: EXIT_CODE.usage, message, facts: {} };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { exitCode: EXIT_CODE.internal, message: stack ?? String(error), facts: {} };
}
