import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compilerComplaint } from "./compiler.mjs";

const FAILED_COMPILE = [
  "npm error path /checkout/node_modules/better-sqlite3",
  "npm error command sh -c prebuild-install || node-gyp rebuild --release",
  "npm error gyp ERR! build error",
].join("\n");

function pathWith(...programs: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const program of programs) {
    writeFileSync(path.join(folder, program), "#!/bin/sh\n");
    chmodSync(path.join(folder, program), 0o755);
  }
  return { PATH: folder };
}

test("a machine without a compiler is told what to install", () => {
  const complaint = compilerComplaint(FAILED_COMPILE, pathWith("make"));
  expect(complaint).toContain("Python 3 and a C++ compiler are missing");
  expect(complaint).not.toContain("\n");
});

test("one missing tool is named alone", () => {
  const complaint = compilerComplaint(FAILED_COMPILE, pathWith("python3", "clang++"));
  expect(complaint).toContain("make is missing");
});

test("another failure is not blamed on the compiler", () => {
  const nothing = pathWith();
  expect(compilerComplaint("npm error code EINTEGRITY", nothing)).toBeNull();
  expect(compilerComplaint(FAILED_COMPILE, pathWith("python3", "make", "g++"))).toBeNull();
});
