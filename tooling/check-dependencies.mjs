#!/usr/bin/env node
// Fails when a dependency could be another one tomorrow, runs code at its installation without
// being named, has a licence that nobody has looked at, or a flaw that is known here. Needs no
// network: `npm audit` does, and knows more.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** @typedef {{ name?: string, version?: string, link?: boolean, inBundle?: boolean, integrity?: string, resolved?: string, license?: string, hasInstallScript?: boolean }} LockEntry */
/** @typedef {{ name: string, version?: string, allowScripts?: Record<string, boolean>, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Manifest */
/** @typedef {{ id: string, package: string, from: string, fixed: string }} Advisory */
/** @typedef {{ licences: string[], otherLicences: Record<string, string>, advisories: Advisory[] }} Rules */

const REGISTRY = "https://registry.npmjs.org/";
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * @param {string} root the folder of the lockfile
 * @param {Rules} rules
 * @returns {string[]} what is wrong, a sentence each
 */
export function checkDependencies(root, rules) {
  /** @type {{ packages: Record<string, LockEntry> }} */
  const lock = readJson(path.join(root, "package-lock.json"));
  /** @type {Manifest} */
  const manifest = readJson(path.join(root, "package.json"));
  const entries = Object.entries(lock.packages)
    .filter(([place, entry]) => place.includes("node_modules/") && !entry.link)
    .map(([place, entry]) => ({ name: nameOf(place, entry), ...entry }));
  return [
    ...manifestsOf(root).flatMap(unpinned),
    ...entries.flatMap((entry) => foreign(entry)),
    ...scriptProblems(entries, manifest.allowScripts ?? {}),
    ...entries.flatMap((entry) => licenceProblem(entry, rules)),
    ...entries.flatMap((entry) => knownFlaws(entry, rules.advisories)),
  ];
}

/** @param {string} root */
function manifestsOf(root) {
  const folders = ["apps", "packages"].flatMap((group) => {
    const dir = path.join(root, group);
    return existsSync(dir) ? readdirSync(dir).map((name) => path.join(dir, name)) : [];
  });
  return [root, ...folders]
    .map((folder) => path.join(folder, "package.json"))
    .filter((file) => existsSync(file))
    .map((file) => /** @type {Manifest} */ (readJson(file)));
}

/** @param {Manifest} manifest */
function unpinned(manifest) {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${manifest.name} asks for ${name} ${version}, no exact version`);
}

/** @param {LockEntry & { name: string }} entry */
function foreign({ name, inBundle, integrity, resolved }) {
  // What another package carries inside is covered by that one's hash.
  if (inBundle) return [];
  const problems = [];
  if (!integrity?.startsWith("sha512-")) problems.push(`${name} has no sha512 in the lockfile`);
  if (resolved !== undefined && !resolved.startsWith(REGISTRY)) {
    problems.push(`${name} comes from ${resolved}, not from the registry`);
  }
  return problems;
}

/**
 * @param {(LockEntry & { name: string })[]} entries
 * @param {Record<string, boolean>} allowed a package that may run code when it is installed, or not
 */
function scriptProblems(entries, allowed) {
  const withScript = new Set(
    entries.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name),
  );
  const unnamed = [...withScript].filter((name) => !(name in allowed));
  const gone = Object.keys(allowed).filter((name) => !withScript.has(name));
  return [
    ...unnamed.map((name) => `${name} has an install script and is not in allowScripts`),
    ...gone.map((name) => `${name} in allowScripts has no install script`),
  ];
}

/**
 * @param {LockEntry & { name: string }} entry
 * @param {Rules} rules
 */
function licenceProblem({ name, license = "none" }, { licences, otherLicences }) {
  if (isAllowed(license, new Set(licences))) return [];
  if (Object.keys(otherLicences).some((pattern) => isMatch(name, pattern))) return [];
  return [`${name} has licence ${license}, which is not among those looked at`];
}

/**
 * @param {string} expression
 * @param {ReadonlySet<string>} allowed
 */
function isAllowed(expression, allowed) {
  const plain = expression.replace(/[()]/g, "");
  const alternatives = plain.split(/ OR /i).map((part) => part.split(/ AND /i));
  return alternatives.some((all) => all.every((licence) => allowed.has(licence.trim())));
}

/**
 * @param {LockEntry & { name: string }} entry
 * @param {readonly Advisory[]} advisories
 */
function knownFlaws({ name, version = "0.0.0" }, advisories) {
  return advisories
    .filter((advisory) => advisory.package === name)
    .filter(({ from, fixed }) => !isBefore(version, from) && isBefore(version, fixed))
    .map(({ id, fixed }) => `${name} ${version} has ${id}, fixed in ${fixed}`);
}

/**
 * @param {string} version
 * @param {string} other
 */
function isBefore(version, other) {
  const [left, right] = [numbersOf(version), numbersOf(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** @param {string} version */
function numbersOf(version) {
  return (version.split(/[-+]/)[0] ?? "").split(".").map(Number);
}

/**
 * @param {string} name
 * @param {string} pattern a name, or its beginning and a star
 */
function isMatch(name, pattern) {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/**
 * @param {string} place where the lockfile has it
 * @param {LockEntry} entry
 */
function nameOf(place, entry) {
  return entry.name ?? place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(import.meta.dirname, "..");
  const rules = readJson(path.join(import.meta.dirname, "dependency-rules.json"));
  const problems = checkDependencies(root, rules);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
