import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { checkDependencies } from "./check-dependencies.mjs";

const RULES = {
  licences: ["MIT", "ISC"],
  otherLicences: { "fonts-*": "OFL: fonts" },
  advisories: [{ id: "CVE-1", package: "parser", from: "2.0.0", fixed: "2.3.1" }],
};
const SOUND = { version: "2.3.1", integrity: "sha512-x", license: "MIT" };

interface Case {
  dependencies?: Record<string, string>;
  packages?: Record<string, object>;
}

/** What is said of a small repository with these differences from a sound one. */
function problemsOf({ dependencies = {}, packages = {} }: Case): string[] {
  const root = mkdtempSync(path.join(tmpdir(), "signalbox-dependencies-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (file: string, value: object) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), JSON.stringify(value));
  };
  write("package.json", { name: "root", allowScripts: { driver: true } });
  write("packages/part/package.json", { name: "part", dependencies });
  const sound = {
    "": { name: "root" },
    "packages/part": { name: "part" },
    "node_modules/part": { link: true, resolved: "packages/part" },
    "node_modules/driver": { ...SOUND, hasInstallScript: true },
    "node_modules/parser": SOUND,
    "node_modules/fonts-sans": { ...SOUND, license: "OFL" },
  };
  write("package-lock.json", { packages: { ...sound, ...packages } });
  return checkDependencies(root, RULES);
}

test("a sound repository has no problem", () => {
  expect(problemsOf({ dependencies: { parser: "2.3.1" } })).toEqual([]);
});

test.each(["^2.3.1", "~2.3.1", "*", "latest", "git+https://git.example/x.git", "file:../x"])(
  "a dependency is asked for in one exact version, not as %s",
  (version) => {
    expect(problemsOf({ dependencies: { parser: version } })).toEqual([
      `part asks for parser ${version}, no exact version`,
    ]);
  },
);

test.each([
  ["no hash", { integrity: undefined }, "parser has no sha512 in the lockfile"],
  ["a weak hash", { integrity: "sha1-x" }, "parser has no sha512 in the lockfile"],
  [
    "another place",
    { resolved: "https://evil.example/parser.tgz" },
    "parser comes from https://evil.example/parser.tgz, not from the registry",
  ],
  [
    "a script that nobody named",
    { hasInstallScript: true },
    "parser has an install script and is not in allowScripts",
  ],
  [
    "another licence",
    { license: "AGPL-3.0" },
    "parser has licence AGPL-3.0, which is not among those looked at",
  ],
  [
    "no licence",
    { license: undefined },
    "parser has licence none, which is not among those looked at",
  ],
  [
    "one of two licences that both hold",
    { license: "MIT AND AGPL-3.0" },
    "parser has licence MIT AND AGPL-3.0, which is not among those looked at",
  ],
  ["a known flaw", { version: "2.3.0" }, "parser 2.3.0 has CVE-1, fixed in 2.3.1"],
])("a package with %s is told", (_name, difference, problem) => {
  const entry = { ...SOUND, ...difference };
  expect(problemsOf({ packages: { "node_modules/x/node_modules/parser": entry } })).toEqual([
    problem,
  ]);
});

test.each([
  { license: "(MIT OR AGPL-3.0)" },
  { license: "MIT AND ISC" },
  { version: "1.9.9" },
  { version: "10.0.0" },
])("a package with %o is fine", (difference) => {
  expect(problemsOf({ packages: { "node_modules/parser": { ...SOUND, ...difference } } })).toEqual(
    [],
  );
});

test("a script that is named but gone is told", () => {
  expect(problemsOf({ packages: { "node_modules/driver": SOUND } })).toEqual([
    "driver in allowScripts has no install script",
  ]);
});

test("the list of materials names every package, offline", () => {
  const [program = "", ...options] = manifest.scripts.sbom.split(" ");
  const { stdout, status } = spawnSync(program, [...options, "--offline"], { encoding: "utf8" });
  expect(status).toBe(0);
  const list = JSON.parse(stdout);
  expect(list).toMatchObject({ bomFormat: "CycloneDX" });
  const names: string[] = list.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["better-sqlite3", "next", "ws", "zod"]));
}, 60_000);
