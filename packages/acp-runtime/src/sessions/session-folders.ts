/** Where a session's agent may work. */
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "@signalbox/protocol";
import type { RuntimeDeps } from "../runtime-deps.ts";

export interface SessionFolders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/**
 * Checks the session's folders: there, inside the roots and apart from the data folder, also when
 * symlinks are followed. Before every start: what a path leads to may have changed since the last.
 *
 * @throws AppError `invalid_cwd` or `cwd_missing`
 */
export async function assertFolders(
  deps: Pick<RuntimeDeps, "workspaceRoots" | "closedFolder">,
  { cwd, additionalDirectories }: SessionFolders,
): Promise<void> {
  const folders = [
    ["cwd", cwd] as const,
    ...additionalDirectories.map(
      (folder, index) => [`additionalDirectories.${index}`, folder] as const,
    ),
  ];
  const roots = await Promise.all(deps.workspaceRoots.map(realPathOrSelf));
  const closed = await realPathOrSelf(deps.closedFolder);
  for (const [field, folder] of folders) {
    if (!deps.workspaceRoots.some((root) => isInside(folder, root))) throw outside(field, folder);
    const stats = await fs.stat(folder).catch(() => null);
    if (!stats?.isDirectory()) {
      throw new AppError("cwd_missing", `${field} ${folder} is not an existing folder`, {
        details: { field, path: folder },
      });
    }
    const real = await realPathOrSelf(folder);
    if (!roots.some((root) => isInside(real, root))) throw outside(field, folder);
    if (isInside(real, closed) || isInside(closed, real)) {
      throw new AppError("invalid_cwd", `${field} ${folder} overlaps Signalbox's data folder`, {
        details: { field, path: folder },
      });
    }
  }
}

function outside(field: string, folder: string): AppError {
  return new AppError("invalid_cwd", `${field} ${folder} is outside the workspace roots`, {
    details: { field, path: folder },
  });
}

async function realPathOrSelf(folder: string): Promise<string> {
  return fs.realpath(folder).catch(() => folder);
}

function isInside(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  if (relative === ".." || relative.startsWith(`..${path.sep}`)) return false;
  return !path.isAbsolute(relative);
}
