import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { rootDir } from "./paths.mjs";

/**
 * @typedef {object} Workspace
 * @property {string} name as in its package.json
 * @property {string} dir relative to the root, with forward slashes
 * @property {Record<string, string>} exports subpath to source file
 * @property {Set<string>} dependencies names in dependencies and devDependencies
 */

/**
 * The packages of this repository.
 *
 * @param {string} [root]
 * @returns {Workspace[]}
 */
export function listWorkspaces(root = rootDir) {
  return ["apps", "packages"]
    .flatMap((group) => {
      const groupDir = path.join(root, group);
      return existsSync(groupDir) ? readdirSync(groupDir).map((name) => `${group}/${name}`) : [];
    })
    .filter((dir) => existsSync(path.join(root, dir, "package.json")))
    .map((dir) => {
      const manifest = JSON.parse(readFileSync(path.join(root, dir, "package.json"), "utf8"));
      return {
        name: manifest.name,
        dir,
        exports: manifest.exports ?? {},
        dependencies: new Set(
          Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
        ),
      };
    });
}

/**
 * What may be imported across packages, with the source file behind it.
 *
 * @param {string} [root]
 * @returns {Map<string, string>} import specifier to absolute path
 */
export function workspaceExports(root = rootDir) {
  return new Map(
    listWorkspaces(root).flatMap(({ name, dir, exports }) =>
      Object.entries(exports).map(([subpath, file]) => [
        path.posix.join(name, subpath),
        path.join(root, dir, file),
      ]),
    ),
  );
}
