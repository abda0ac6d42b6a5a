import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import readline from "node:readline";
import { fileURLToPath } from "node:url";

/** A process of its own running one of this folder's scripts; dies with the disposal. */
export interface TestChild extends AsyncDisposable {
  /** What the script prints, a line at a time. */
  readonly lines: AsyncIterableIterator<string>;
  /** Ends it as a crash of the machine's power would end it, and waits for that. */
  kill(): Promise<void>;
}

export function startChild(script: string, args: readonly string[]): TestChild {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = readline.createInterface({ input: child.stdout });
  const kill = () => killAndWait(child);
  return { lines: lines[Symbol.asyncIterator](), kill, [Symbol.asyncDispose]: kill };
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
