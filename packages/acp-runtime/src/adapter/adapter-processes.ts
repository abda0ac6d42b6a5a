import type { AdapterProcess } from "@signalbox/protocol";
import type { SessionHost } from "../sessions/session-host.ts";
import { timestampOf } from "../sessions/session-view.ts";
import type { Adapter } from "./adapter.ts";
import type { Launch } from "./launches.ts";
import { listProcesses, type ProcessRow, residentBytes } from "./process-table.ts";

/** Every running adapter with its whole tree of processes, from one look at the table. */
export async function adapterProcesses(launches: readonly Launch[]): Promise<AdapterProcess[]> {
  const rows = launches.length === 0 ? [] : await listProcesses();
  const bytes = await residentBytes(
    launches.flatMap(({ mark }) => treeOf(mark, rows)).map(({ pid }) => pid),
  );
  return launches.flatMap((launch) => {
    const { sessionId, agent, adapter } = launch;
    // An agent that is no process of its own is not one here either.
    const { pid } = adapter.transport;
    if (pid === null || adapter.hasEnded) return [];
    const tree = treeOf(launch.mark, rows);
    return [
      {
        sessionId,
        agent,
        pid,
        startedAt: timestampOf(launch.startedAtMs),
        rssBytes: tree.reduce((sum, row) => sum + (bytes.get(row.pid) ?? 0), 0),
        processes: tree.length,
        state: stateOf(adapter),
      },
    ];
  });
}

/** A session whose agent is held back has no process; it is listed so that someone sees it. */
export function heldOf(host: SessionHost): AdapterProcess[] {
  const { crashes, presence } = host.adapter;
  if (presence !== "unloaded" || crashes.heldUntilMs(Date.now()) === null) return [];
  const startedAt = timestampOf(host.lastUsedAtMs);
  const { sessionId, agent } = host;
  return [{ sessionId, agent, pid: 0, startedAt, rssBytes: 0, processes: 0, state: "held" }];
}

function stateOf(adapter: Adapter): AdapterProcess["state"] {
  if (adapter.isEnding) return "stopping";
  return adapter.isAttached ? "ready" : "starting";
}

/** What carries the mark, and what descends from it, though it has cleared its environment. */
function treeOf(mark: string, rows: readonly ProcessRow[]): ProcessRow[] {
  const found = new Set(rows.filter((row) => row.mark === mark).map(({ pid }) => pid));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const row of rows) if (found.has(row.parentPid)) found.add(row.pid);
  }
  return rows.filter(({ pid }) => found.has(pid));
}
