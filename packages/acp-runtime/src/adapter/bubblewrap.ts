/**
 * Agents behind bubblewrap: in a process namespace of their own, with the file system read-only
 * but for their session's folders, and what is the server's own out of sight.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "@signalbox/protocol";
import type { LaunchSpec } from "../wire/agent-transport.ts";

export interface Confinement {
  /** Absolute paths that the agent may write to beside its session's folders, its own state say. */
  readonly writable: readonly string[];
  /** Absolute paths whose content it must not see. */
  readonly hidden: readonly string[];
}

const COMMAND = "bwrap";
const PROBE_TIMEOUT_MS = 30_000;

/**
 * The namespaces. Nothing can leave that of processes, and with its first process, which ends
 * with ours, everything in it ends.
 */
const ISOLATION = [
  ...["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"],
  // As root it would otherwise keep the right to take the mounts away again.
  ...["--cap-drop", "ALL"],
];
const BASE_MOUNTS = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
/** Sockets of the system's services stand in /run; these two are needed to resolve names and run at all. */
const RUN_KEPT = ["/run/systemd/resolve", "/run/current-system"];

const TMP = "/tmp/";

/** Later ones lie over earlier ones, so outer folders come first. */
interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

/**
 * The same launch, confined.
 *
 * @param folders those of the session, which the agent may write to
 * @throws AppError `adapter_spawn_failed` when bubblewrap is not there or not allowed
 */
export async function inBubblewrap(
  spec: LaunchSpec,
  confinement: Confinement,
  folders: readonly string[],
): Promise<LaunchSpec> {
  await assertAvailable(spec);
  const mounts = [
    ...(await readable(spec)),
    ...(await Promise.all([...folders, ...confinement.writable].map(open))).flat(),
    ...(await Promise.all(confinement.hidden.map(hide))).flat(),
  ];
  // Of two at one place the one that hides comes last and counts.
  mounts.sort((a, b) => depthOf(a.at) - depthOf(b.at));
  return {
    ...spec,
    command: COMMAND,
    args: [
      ...BASE_MOUNTS,
      ...["--tmpfs", "/tmp", "--tmpfs", "/run"],
      ...RUN_KEPT.flatMap((at) => ["--ro-bind-try", at, at]),
      ...mounts.flatMap(({ args }) => args),
      ...ISOLATION,
      ...["--chdir", spec.cwd, "--", spec.command, ...spec.args],
    ],
  };
}

/** /tmp is the agent's own; what it is started from may lie there all the same. */
async function readable(spec: LaunchSpec): Promise<Mount[]> {
  const named = [spec.command, ...spec.args].filter((word) => word.startsWith(TMP));
  const found = await Promise.all(
    named.map(async (at) => ((await fs.stat(at).catch(() => null)) === null ? [] : [at])),
  );
  return found.flat().map((at) => ({ at, args: ["--ro-bind", at, at] }));
}

/** A mount cannot lie on a link; the link itself is seen, unless it stands in the old /tmp. */
async function open(named: string): Promise<Mount[]> {
  const at = await fs.realpath(named).catch(() => null);
  if (at === null) return [];
  const mount = { at, args: ["--bind", at, at] };
  if (at === named || !named.startsWith(TMP)) return [mount];
  return [mount, { at: named, args: ["--symlink", at, named] }];
}

/** A link is followed, since the content is what must not be seen. */
async function hide(named: string): Promise<Mount[]> {
  const at = await fs.realpath(named).catch(() => null);
  if (at === null) return [];
  const isFolder = (await fs.stat(at)).isDirectory();
  return [{ at, args: isFolder ? ["--tmpfs", at] : ["--ro-bind", "/dev/null", at] }];
}

function depthOf(at: string): number {
  return path.normalize(at).split(path.sep).filter(Boolean).length;
}

/** Set once it has worked: that it is missing is found out again, so that it can be installed. */
let isKnownToWork = false;

async function assertAvailable(spec: LaunchSpec): Promise<void> {
  if (isKnownToWork) return;
  const problem = await probe(spec.env);
  if (problem !== null) {
    throw new AppError(
      "adapter_spawn_failed",
      `${spec.command} is to run behind bubblewrap (launcher "bwrap"), which does not work here: ${problem}`,
      { details: { phase: "spawn", exitCode: null, signal: null, stderrTail: "" } },
    );
  }
  isKnownToWork = true;
}

/** @returns null when it works, else why not */
function probe(env: Readonly<Record<string, string>>): Promise<string | null> {
  if (process.platform !== "linux") return Promise.resolve("it needs Linux");
  const args = [...BASE_MOUNTS, ...ISOLATION, "--", "true"];
  // Short of memory or descriptors it may throw at once.
  return new Promise<string | null>((resolve) => {
    execFile(COMMAND, args, { env: { ...env }, timeout: PROBE_TIMEOUT_MS }, (error, _, stderr) => {
      if (error === null) resolve(null);
      else if (error.code === "ENOENT") resolve("bwrap is not on the PATH; install bubblewrap");
      else resolve(stderr.trim() || error.message);
    });
  }).catch((cause: unknown) => String(cause));
}
