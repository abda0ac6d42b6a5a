/**
 * Decides whether a build step has anything to do.
 *
 * Two hashes per step: one over names, sizes and modification times, which costs a stat per file
 * and settles the ordinary restart, and one over contents, which is only computed when the first
 * one differs, so that a fresh checkout or a touched file does not rebuild what is the same.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheDir, rootDir } from "./paths.mjs";

const IGNORED_FOLDERS = new Set(["node_modules", ".next", "dist", ".turbo", "generated"]);
const IGNORED_FILES = /(^next-env\.d\.ts|\.test\.tsx?|\.tsbuildinfo)$/;

/** @typedef {{ metadata: string, content: string }} Fingerprint */

/**
 * Runs `action` unless its inputs are those of its last success and its outputs exist. The
 * fingerprint is taken before the action, so an edit made while it runs is not taken for built.
 *
 * @param {object} step
 * @param {string} step.name name of the stamp file
 * @param {string[]} step.inputs files and folders relative to the root
 * @param {string[]} step.outputs files that must exist
 * @param {string} [step.salt] anything else the result depends on
 * @param {() => Promise<void>} step.action
 * @returns {Promise<boolean>} whether the action ran
 */
export async function whenChanged({ name, inputs, outputs, salt = "", action }) {
  const stampFile = path.join(cacheDir, "stamps", `${name}.json`);
  const stamp = await readStamp(stampFile);
  const files = await listFiles(inputs);
  const metadata = await metadataHash(files, salt);
  const hasOutputs = outputs.every((output) => existsSync(path.join(rootDir, output)));
  if (hasOutputs && stamp?.metadata === metadata) return false;

  const content = await contentHash(files, salt);
  const isSame = hasOutputs && stamp?.content === content;
  if (!isSame) await action();
  await writeStamp(stampFile, { metadata, content });
  return !isSame;
}

/** @param {string[]} inputs */
async function listFiles(inputs) {
  /** @type {string[]} */
  const files = [];
  for (const input of inputs) await collect(path.join(rootDir, input), files);
  return files.sort();
}

/**
 * @param {string} entry
 * @param {string[]} files
 */
async function collect(entry, files) {
  const info = await stat(entry).catch(() => null);
  if (info === null) return;
  if (!info.isDirectory()) {
    files.push(entry);
    return;
  }
  for (const child of await readdir(entry, { withFileTypes: true })) {
    const isIgnored = child.isDirectory()
      ? IGNORED_FOLDERS.has(child.name)
      : IGNORED_FILES.test(child.name);
    if (!isIgnored) await collect(path.join(entry, child.name), files);
  }
}

/**
 * @param {string[]} files
 * @param {string} salt
 */
async function metadataHash(files, salt) {
  const hash = createHash("sha256").update(salt);
  const infos = await Promise.all(files.map((file) => stat(file)));
  for (const [index, file] of files.entries()) {
    hash.update(`${file}\0${infos[index]?.size}\0${infos[index]?.mtimeMs}\0`);
  }
  return hash.digest("hex");
}

/**
 * @param {string[]} files
 * @param {string} salt
 */
async function contentHash(files, salt) {
  const hash = createHash("sha256").update(salt);
  for (const file of files) {
    hash.update(`${path.relative(rootDir, file)}\0`).update(await readFile(file));
  }
  return hash.digest("hex");
}

/**
 * @param {string} stampFile
 * @returns {Promise<Fingerprint | null>}
 */
async function readStamp(stampFile) {
  try {
    return JSON.parse(await readFile(stampFile, "utf8"));
  } catch {
    // Absent or torn: either way the step has to prove itself again.
    return null;
  }
}

/**
 * @param {string} stampFile
 * @param {Fingerprint} stamp
 */
async function writeStamp(stampFile, stamp) {
  await mkdir(path.dirname(stampFile), { recursive: true });
  const draft = `${stampFile}.${process.pid}`;
  await writeFile(draft, JSON.stringify(stamp));
  await rename(draft, stampFile);
}
