import { accessSync, constants } from "node:fs";
import path from "node:path";

/**
 * Explains a failed installation that stopped at compiling the SQLite driver.
 *
 * @param {string} npmOutput
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} one sentence, or null when the failure was another one
 */
export function compilerComplaint(npmOutput, env) {
  if (!/better-sqlite3/.test(npmOutput) || !/gyp ERR!|node-gyp/.test(npmOutput)) return null;
  const missing = missingTools(env);
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat("en").format(missing);
  const [verb, pronoun] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  return `Signalbox has to compile its SQLite driver (better-sqlite3) for this Node, and ${list} ${verb} missing: install ${pronoun} (Debian and Ubuntu: apt-get install -y python3 make g++; macOS: xcode-select --install) and run the command again.`;
}

/** @param {NodeJS.ProcessEnv} env */
function missingTools(env) {
  /** @type {[string, string[]][]} */
  const tools = [
    ["Python 3", [env.npm_config_python || env.PYTHON || "python3", "python"]],
    ["make", [env.MAKE || "make", "gmake"]],
    ["a C++ compiler", [env.CXX || "c++", "g++", "clang++"]],
  ];
  return tools
    .filter(([, programs]) => !programs.some((program) => isOnPath(program, env.PATH ?? "")))
    .map(([name]) => name);
}

/**
 * @param {string} program
 * @param {string} searchPath
 */
function isOnPath(program, searchPath) {
  const folders = program.includes("/") ? [""] : searchPath.split(path.delimiter);
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
