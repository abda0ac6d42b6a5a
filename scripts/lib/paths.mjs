import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const rootDir = fileURLToPath(new URL("../..", import.meta.url));

/** Stamps, logs and test results. Git ignores it, and deleting it only costs a rebuild. */
export const cacheDir = path.join(rootDir, ".cache");

/** @param {string[]} parts */
export function fromRoot(...parts) {
  return path.join(rootDir, ...parts);
}

/**
 * Path of a command line program that npm installed, to be run by this very Node: the shims in
 * `node_modules/.bin` would put a shell between us and the signals.
 *
 * @param {string} packageName
 * @param {string} file path inside the package
 * @param {string} [fromDir] the workspace that depends on the package
 */
export function installedProgram(packageName, file, fromDir = rootDir) {
  const require = createRequire(path.join(fromDir, "package.json"));
  return path.join(path.dirname(require.resolve(`${packageName}/package.json`)), file);
}
