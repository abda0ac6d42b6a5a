/**
 * Ends whatever a launch left behind.
 *
 * Agents start tools in sessions of their own, which a signal to the process group does not
 * reach; the environment is what every descendant still carries.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isSameProcess, listProcesses, type ProcessRow } from "./process-table.ts";

/** How long processes get to disappear after SIGKILL before the sweep gives up on them. */
const SWEEP_LIMIT_MS = 5_000;
const SWEEP_PAUSE_MS = 20;

/**
 * Kills every process whose mark `matches`, with its descendants, until none is left. This
 * process and its own ancestors are never touched.
 *
 * @returns the pids that were killed
 * @throws Error when some survive SIGKILL for 5 seconds
 */
export async function sweepMarked(matches: (mark: string) => boolean): Promise<number[]> {
  const killed = new Set<number>();
  const deadline = performance.now() + SWEEP_LIMIT_MS;
  for (;;) {
    const rows = await listMarked(matches);
    if (rows.length === 0) return [...killed];
    if (performance.now() > deadline) {
      const pids = rows.map((row) => row.pid).join(", ");
      throw new Error(`processes ${pids} survived SIGKILL for ${SWEEP_LIMIT_MS} ms`);
    }
    for (const row of rows) {
      if ((await isSameProcess(row)) && kill(row.pid)) killed.add(row.pid);
    }
    await delay(SWEEP_PAUSE_MS);
  }
}

/** How many processes a sweep with the same predicate would kill. */
export async function countMarked(matches: (mark: string) => boolean): Promise<number> {
  return (await listMarked(matches)).length;
}

async function listMarked(matches: (mark: string) => boolean): Promise<ProcessRow[]> {
  const rows = await listProcesses();
  const kept = ancestorsOf(process.pid, rows);
  const found = new Set<number>();
  for (const row of rows) {
    if (row.mark !== null && matches(row.mark)) found.add(row.pid);
  }
  // A tool may clear its environment; as long as its parent lives it is still found.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const row of rows) if (found.has(row.parentPid)) found.add(row.pid);
  }
  return rows.filter((row) => found.has(row.pid) && !kept.has(row.pid));
}

function ancestorsOf(pid: number, rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parentPid]));
  const kept = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !kept.has(at); at = parents.get(at)) {
    kept.add(at);
  }
  return kept;
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    // It ended by itself, or it changed its user and is out of our reach.
    return false;
  }
}
