/** The `signalbox` command in a process of its own, from source. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT_DIR = fileURLToPath(new URL("../..", import.meta.url));

export interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param env the whole environment but `PATH` */
export async function signalbox(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandRun> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "packages/client/src/cli/main.ts", ...args],
    {
      cwd: ROOT_DIR,
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const run: CommandRun = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    run.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    run.stderr += text;
  });
  const [code] = await once(child, "close");
  run.code = code;
  return run;
}
