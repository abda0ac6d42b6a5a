/** Finds the adapters of one server, and whatever they started, by what every descendant inherits. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const GONE_LIMIT_MS = 5_000;
const POLL_MS = 20;

/** Pids of living processes that carry an adapter's mark and belong to the folder. */
export async function markedProcesses(rootDir: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const checked = await Promise.all(
    pids.map(async (pid) => ((await isMarked(pid, rootDir)) ? [pid] : [])),
  );
  return checked.flat();
}

async function isMarked(pid: number, rootDir: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    if (!/(^|\0)SIGNALBOX_MARK=/.test(environment)) return false;
    return (
      environment.includes(rootDir) || (await readlink(`/proc/${pid}/cwd`)).startsWith(rootDir)
    );
  } catch {
    // It ended while we looked, or it is another user's.
    return false;
  }
}

/** @throws Error naming the survivors when some are alive after a moment */
export async function waitUntilGone(rootDir: string): Promise<void> {
  const deadline = performance.now() + GONE_LIMIT_MS;
  for (;;) {
    const pids = await markedProcesses(rootDir);
    if (pids.length === 0) return;
    if (performance.now() > deadline) throw new Error(await nameOf(pids));
    await delay(POLL_MS);
  }
}

export async function killAll(rootDir: string): Promise<void> {
  for (const pid of await markedProcesses(rootDir)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

async function nameOf(pids: number[]): Promise<string> {
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "gone");
      return `${pid}: ${command.replaceAll("\0", " ")}`;
    }),
  );
  return `processes of agents are left behind:\n${lines.join("\n")}`;
}
