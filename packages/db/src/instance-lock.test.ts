import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDir } from "./instance-lock.ts";
import { startChild } from "./testing/child.ts";

let dir: string;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-lock-"));
});

afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

test("a second holder is told the folder and who holds it", () => {
  const lock = lockDataDir(dir);
  expect(() => lockDataDir(dir)).toThrow(
    expect.objectContaining({
      code: "database_in_use",
      message: expect.stringContaining(dir),
      details: { dir, pid: process.pid },
    }),
  );
  lock.release();
});

test("a refused attempt does not loosen the lock", async () => {
  const lock = lockDataDir(dir);
  expect(() => lockDataDir(dir)).toThrow();
  // SQLite's locks belong to the process: only another one can tell whether this one still holds.
  await using child = startChild("./lock-prober.ts", [dir]);
  expect((await child.lines.next()).value).toBe("database_in_use");
  lock.release();
});

test("a released folder can be locked again, and a second release does nothing", () => {
  const first = lockDataDir(dir);
  first.release();
  const second = lockDataDir(dir);
  first.release();
  expect(() => lockDataDir(dir)).toThrow(expect.objectContaining({ code: "database_in_use" }));
  second.release();
});

test("a holder that is killed lets the next one in", async () => {
  await using holder = startChild("./lock-holder.ts", [dir]);
  expect((await holder.lines.next()).value).toBe("locked");
  expect(() => lockDataDir(dir)).toThrow(expect.objectContaining({ code: "database_in_use" }));
  await holder.kill();
  lockDataDir(dir).release();
});
