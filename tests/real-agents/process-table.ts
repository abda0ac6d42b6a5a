/** What runs on this machine, read from /proc. */
import { readdirSync, readFileSync } from "node:fs";

export interface RunningProcess {
  pid: number;
  parentPid: number;
  command: string;
  /** The mark that the server puts into each adapter's environment. */
  mark: string | null;
}

/** Processes whose environment has this HOME: an agent and all that it started, wherever they went. */
export function processesWithHome(home: string): RunningProcess[] {
  return pids().flatMap((pid) => {
    const environment = readProcess(pid, "environ").split("\0");
    if (!environment.includes(`HOME=${home}`)) return [];
    const mark = environment.find((entry) => entry.startsWith("SIGNALBOX_MARK="));
    return [{ ...commonFacts(pid), mark: mark?.slice("SIGNALBOX_MARK=".length) ?? null }];
  });
}

/** Every process below that one, zombies included. */
export function descendantsOf(rootPid: number): Omit<RunningProcess, "mark">[] {
  const everything = pids().map(commonFacts);
  const childrenOf = (parent: number): typeof everything =>
    everything
      .filter(({ parentPid }) => parentPid === parent)
      .flatMap((child) => [child, ...childrenOf(child.pid)]);
  return childrenOf(rootPid);
}

function commonFacts(pid: number): Omit<RunningProcess, "mark"> {
  // The name in parentheses may hold spaces; what follows it are plain fields: state, parent, ...
  const fields = readProcess(pid, "stat")
    .replace(/^.*\) /, "")
    .split(" ");
  const command = readProcess(pid, "cmdline").replaceAll("\0", " ").trim();
  return { pid, parentPid: Number(fields[1]), command };
}

function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Empty for a process that has ended meanwhile, and for the environment of one of another user. */
function readProcess(pid: number, file: "environ" | "stat" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
