/**
 * Holds the architecture in place: who may import whom, who may touch Prisma, the ACP SDK and the
 * environment, where a default export may stand, how long a file may be.
 *
 * Reads import statements as the formatter leaves them, each beginning in the first column. A type
 * import is one written `import type`, for only that leaves nothing behind at run time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rootDir } from "../scripts/lib/paths.mjs";
import { listWorkspaces } from "../scripts/lib/workspaces.mjs";

const MAX_LINES = 400;
/** A test tells each of its stories in full. */
const MAX_TEST_LINES = 500;
const SOURCE_FILE = /\.(ts|tsx|mts|mjs)$/;
const TEST_FILE = /(\.test\.tsx?$|\/testing\/)/;
const SKIPPED_FOLDERS = new Set([
  "node_modules",
  ".git",
  ".next",
  ".turbo",
  ".cache",
  "dist",
  "generated",
]);

/** What each workspace may import from the others: values, and beyond them types only. */
const MAY_IMPORT = {
  "packages/protocol": { values: [], types: [] },
  "packages/db": { values: ["protocol"], types: [] },
  "packages/acp-runtime": { values: ["db", "protocol"], types: [] },
  "packages/api": { values: ["acp-runtime", "db", "protocol"], types: [] },
  "apps/server": { values: ["api", "acp-runtime", "db", "protocol"], types: [] },
  "apps/console": { values: ["protocol"], types: ["api"] },
  "packages/client": { values: ["protocol"], types: ["api"] },
  "packages/demo-agent": { values: ["protocol"], types: [] },
};

/** Packages that are one workspace's own business. */
const OWNED_PACKAGES = [
  {
    name: /^(@prisma\/|prisma($|\/)|better-sqlite3)/,
    owners: ["packages/db"],
    what: "Prisma and the SQLite driver",
  },
  {
    name: /^@agentclientprotocol\//,
    owners: ["packages/acp-runtime", "packages/demo-agent"],
    what: "the ACP SDK",
  },
];

/** Outside the workspaces, programs of this repository that are not part of the product. */
const FREE_FOLDERS = ["scripts/", "tooling/", "tests/", "bench/", "examples/", "docs/"];

/** Programs that start Next; the server, or a developer, tells them the port. */
const CONSOLE_LAUNCHER = /^apps\/console\/[a-z-]+\.mjs$/;

/** A benchmark times parts that no package offers to others. */
const MEASURES_INSIDES = "bench/";

/** @typedef {{ specifier: string, isType: boolean, line: number }} Import */

/**
 * @param {string} [root]
 * @returns {{ violations: string[], files: number }} each violation as `file:line: sentence`
 */
export function checkImports(root = rootDir) {
  const workspaces = listWorkspaces(root);
  const files = listSources(root);
  const violations = files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), "utf8");
    const workspace = workspaces.find(({ dir }) => file.startsWith(`${dir}/`));
    return [
      ...readImports(source).flatMap((found) =>
        judgeImport(file, found, workspace, workspaces).map(
          (text) => `${file}:${found.line}: ${text}`,
        ),
      ),
      ...judgeSource(file, source),
    ];
  });
  return { violations, files: files.length };
}

/**
 * @param {string} root
 * @param {string} [folder]
 * @returns {string[]}
 */
function listSources(root, folder = "") {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listSources(root, file);
    return SOURCE_FILE.test(entry.name) && entry.name !== "next-env.d.ts" ? [file] : [];
  });
}

/**
 * @param {string} source
 * @returns {Import[]}
 */
export function readImports(source) {
  const code = blankComments(source);
  const statement = /^(?:import|export)\s+(type\s)?(?:[^;"'`]*?\sfrom\s+)?["']([^"'\n]+)["']/gm;
  const call = /\b(?:import|require)\(\s*["'`]([^"'`\n]+)["'`]/g;
  return [
    ...[...code.matchAll(statement)].map(({ index, 1: type, 2: specifier = "" }) => ({
      specifier,
      isType: type !== undefined,
      line: lineAt(code, index),
    })),
    ...[...code.matchAll(call)].map(({ index, 1: specifier = "" }) => ({
      specifier,
      isType: false,
      line: lineAt(code, index),
    })),
  ];
}

/** Blanks whole-line comments and comment blocks, keeping the lines. @param {string} source */
function blankComments(source) {
  return source
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, (block) => block.replace(/[^\n]/g, " "))
    .replace(/(^|[ \t])\/\/.*$/gm, "");
}

/**
 * @param {string} code
 * @param {number} index
 */
function lineAt(code, index) {
  return code.slice(0, index).split("\n").length;
}

/** @typedef {import("../scripts/lib/workspaces.mjs").Workspace} Workspace */

/**
 * @param {string} file
 * @param {Import} found
 * @param {Workspace | undefined} workspace the one the file belongs to
 * @param {Workspace[]} workspaces
 * @returns {string[]}
 */
function judgeImport(file, found, workspace, workspaces) {
  const { specifier } = found;
  if (specifier.startsWith(".")) return judgeRelative(file, specifier, workspace, workspaces);
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return [];
  const target = workspaces.find(
    ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
  );
  if (target !== undefined && target !== workspace) return judgeNeighbour(found, workspace, target);
  return target === undefined ? judgeExternal(file, specifier, workspace) : [];
}

/**
 * @param {string} file
 * @param {string} specifier
 * @param {Workspace | undefined} workspace
 * @param {Workspace[]} workspaces
 */
function judgeRelative(file, specifier, workspace, workspaces) {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (workspace !== undefined) {
    const isInside = target.startsWith(`${workspace.dir}/`);
    return isInside ? [] : [`${specifier} leaves ${workspace.dir}: import the package by its name`];
  }
  if (file.startsWith(MEASURES_INSIDES)) return [];
  const entered = workspaces.find(({ dir }) => target.startsWith(`${dir}/`));
  return entered === undefined
    ? []
    : [`${specifier} reaches into ${entered.dir}: import ${entered.name}`];
}

/**
 * @param {Import} found
 * @param {Workspace | undefined} workspace
 * @param {Workspace} target
 */
function judgeNeighbour({ specifier, isType }, workspace, target) {
  const violations = [];
  const subpath = `.${specifier.slice(target.name.length)}`;
  if (target.exports[subpath] === undefined) {
    violations.push(`${specifier} is not among the exports of ${target.name}`);
  }
  if (workspace === undefined) return violations;
  const rule = MAY_IMPORT[/** @type {keyof typeof MAY_IMPORT} */ (workspace.dir)];
  if (rule === undefined) return [`${workspace.dir} has no place on the import line yet`];
  const shortName = path.posix.basename(target.dir);
  const mayImport = (/** @type {string[]} */ names) => names.includes(shortName);
  if (!mayImport(rule.values) && !mayImport(rule.types)) {
    violations.push(`${workspace.dir} may not import ${target.name}`);
  } else if (!mayImport(rule.values) && !isType) {
    violations.push(`${workspace.dir} may import ${target.name} with "import type" only`);
  }
  if (!workspace.dependencies.has(target.name)) {
    violations.push(`${target.name} is not a dependency in ${workspace.dir}/package.json`);
  }
  return violations;
}

/**
 * @param {string} file
 * @param {string} specifier
 * @param {Workspace | undefined} workspace
 */
function judgeExternal(file, specifier, workspace) {
  if (workspace === undefined) return [];
  const violations = [];
  const isTest = TEST_FILE.test(file);
  for (const { name, owners, what } of OWNED_PACKAGES) {
    if (name.test(specifier) && !isTest && !owners.includes(workspace.dir)) {
      violations.push(`only ${owners.join(" and ")} may import ${what} (${specifier})`);
    }
  }
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const isPathAlias = specifier.startsWith("@/");
  if (!isTest && !isPathAlias && !workspace.dependencies.has(packageName)) {
    violations.push(`${packageName} is not a dependency in ${workspace.dir}/package.json`);
  }
  return violations;
}

/**
 * @param {string} file
 * @param {string} source
 */
function judgeSource(file, source) {
  const violations = [];
  const code = blankComments(source);
  const environment = /\bprocess\.env\b|\bimport\.meta\.env\b/.exec(code);
  if (environment !== null && !mayReadEnvironment(file)) {
    const line = lineAt(code, environment.index);
    violations.push(`${file}:${line}: only the server's settings may read the environment`);
  }
  const defaultExport = /^export default\b|^export \{[^}]*\bas default\b/m.exec(code);
  if (defaultExport !== null && !mayExportDefault(file)) {
    const line = lineAt(code, defaultExport.index);
    violations.push(`${file}:${line}: default exports are for Next and configuration files`);
  }
  const lines = source.trimEnd().split("\n").length;
  const maxLines = TEST_FILE.test(file) ? MAX_TEST_LINES : MAX_LINES;
  if (lines > maxLines) violations.push(`${file}:1: ${lines} lines, limit ${maxLines}`);
  return violations;
}

/** @param {string} file */
function mayReadEnvironment(file) {
  return (
    FREE_FOLDERS.some((folder) => file.startsWith(folder)) ||
    file.startsWith("apps/server/src/settings") ||
    file.startsWith("packages/demo-agent/") ||
    file === "packages/client/src/cli/main.ts" ||
    CONSOLE_LAUNCHER.test(file) ||
    TEST_FILE.test(file) ||
    isConfiguration(file)
  );
}

/** @param {string} file */
function mayExportDefault(file) {
  return file.startsWith("apps/console/src/app/") || isConfiguration(file);
}

/** @param {string} file */
function isConfiguration(file) {
  return /\.config\.(ts|mts|mjs)$/.test(file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { violations, files } = checkImports();
  for (const violation of violations) process.stderr.write(`${violation}\n`);
  process.stdout.write(`${files} files, ${violations.length} violations of the import line\n`);
  if (violations.length > 0 || files === 0) process.exitCode = 1;
}
