import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The name under which every process of a launch carries its mark in the environment. */
export const MARK_VARIABLE = "SIGNALBOX_MARK";

export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** With the pid it identifies a process; a pid alone may be given to another one. */
  readonly startedAt: string;
  readonly mark: string | null;
}

/** How many processes are looked at together; each costs a file descriptor. */
const BATCH = 16;
/** Errors that mean the process ended meanwhile or belongs to another user: it is not ours to end. */
const NOT_OURS = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

let current: Promise<ProcessRow[]> | null = null;
let following: Promise<ProcessRow[]> | null = null;

/**
 * Every running process that this user may look into; those that ended but still stand in the
 * table are left out. The look begins after the call. Many callers at once share one.
 */
export function listProcesses(): Promise<ProcessRow[]> {
  if (current === null) {
    current = readTable().finally(() => {
      current = null;
    });
    return current;
  }
  const afterCurrent = (): Promise<ProcessRow[]> => {
    following = null;
    return listProcesses();
  };
  following ??= current.then(afterCurrent, afterCurrent);
  return following;
}

async function readTable(): Promise<ProcessRow[]> {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return parsePs(await readPs());
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows: ProcessRow[] = [];
  for (let start = 0; start < pids.length; start += BATCH) {
    const batch = await Promise.all(pids.slice(start, start + BATCH).map(readProcess));
    rows.push(...batch.filter((row) => row !== null));
  }
  return rows;
}

/** Whether `row` is still the process that it was when it was listed. */
export async function isSameProcess(row: ProcessRow): Promise<boolean> {
  const now =
    process.platform === "linux"
      ? await readProcess(row.pid)
      : (await listProcesses()).find((other) => other.pid === row.pid);
  return now?.startedAt === row.startedAt;
}

async function readProcess(pid: number): Promise<ProcessRow | null> {
  const stat = await readText(`/proc/${pid}/stat`);
  // The second field is the command's name in parentheses and may itself hold any of them.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parentPid, groupId] = fields;
  const startedAt = fields[19];
  if (state === undefined || startedAt === undefined || "ZX".includes(state)) return null;
  const environment = await readText(`/proc/${pid}/environ`);
  return {
    pid,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    startedAt,
    mark: markOf(environment.split("\0")),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_OURS.has(String(error.code))) return "";
    throw error;
  }
}

function markOf(words: readonly string[]): string | null {
  const prefix = `${MARK_VARIABLE}=`;
  return words.find((word) => word.startsWith(prefix))?.slice(prefix.length) ?? null;
}

/** Memory that each process has in use, by its pid; one that ended meanwhile is left out. */
export async function residentBytes(pids: readonly number[]): Promise<Map<number, number>> {
  const bytes = new Map<number, number>();
  if (pids.length === 0 || process.platform === "win32") return bytes;
  if (process.platform !== "linux") {
    const listing = await readPs(["-axo", "pid=,rss="]);
    for (const line of listing.split("\n")) {
      const [pid, kilobytes] = line.trim().split(/\s+/).map(Number);
      if (pid !== undefined && kilobytes !== undefined) bytes.set(pid, kilobytes * 1024);
    }
    return bytes;
  }
  for (let start = 0; start < pids.length; start += BATCH) {
    await Promise.all(
      pids.slice(start, start + BATCH).map(async (pid) => {
        const status = await readText(`/proc/${pid}/status`);
        const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
        if (kilobytes !== undefined) bytes.set(pid, Number(kilobytes) * 1024);
      }),
    );
  }
  return bytes;
}

async function readPs(
  args: readonly string[] = ["eww", "-axo", "pid=,ppid=,pgid=,stat=,lstart=,command="],
): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", args, {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout;
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d+)\s(.*)$/;

/** Reads the listing of a `ps` that shows environments after commands. */
export function parsePs(listing: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of listing.split("\n")) {
    const [, pid, parentPid, groupId, state, startedAt, command] = PS_LINE.exec(line) ?? [];
    if (state === undefined || startedAt === undefined || command === undefined) continue;
    if (state.startsWith("Z")) continue;
    rows.push({
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      startedAt,
      mark: markOf(command.split(" ")),
    });
  }
  return rows;
}
