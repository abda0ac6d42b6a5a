import { expect, test } from "vitest";
import { matchesLock, rebuildOptions } from "./dependencies.mjs";

const LOCK = {
  packages: {
    "": { version: "0.1.0" },
    "packages/db": { version: "0.1.0" },
    "node_modules/@signalbox/db": { link: true },
    "node_modules/zod": { version: "4.6.7", integrity: "sha512-z" },
    "node_modules/@esbuild/darwin-arm64": { version: "0.28.2", optional: true },
  },
};

function installedWith(changes: Record<string, object | undefined>) {
  const packages = { ...LOCK.packages, ...changes };
  return JSON.parse(JSON.stringify({ packages }));
}

test("packages of another platform may be absent", () => {
  const installed = installedWith({ "node_modules/@esbuild/darwin-arm64": undefined });
  expect(matchesLock(LOCK, installed)).toBe(true);
});

test.for([
  ["a missing package", { "node_modules/zod": undefined }],
  ["another version", { "node_modules/zod": { version: "4.6.6", integrity: "sha512-z" } }],
  ["another content", { "node_modules/zod": { version: "4.6.7", integrity: "sha512-y" } }],
  ["a package the lock does not know", { "node_modules/left-pad": { version: "1.3.0" } }],
] as const)("%s means installing again", ([, changes]) => {
  expect(matchesLock(LOCK, installedWith(changes))).toBe(false);
});

test("only packages that are named run code when they are installed", () => {
  expect(rebuildOptions({ driver: true, telemetry: false, bundler: true })).toEqual([
    "rebuild",
    "--ignore-scripts=false",
    "--foreground-scripts",
    "driver",
    "bundler",
  ]);
});
