import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivateFolder } from "./private-folder.ts";

function place(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-private-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  return path.join(dir, "data");
}

const modeOf = (folder: string) => fs.statSync(folder).mode & 0o777;

function folderWith(mode: number): string {
  const folder = place();
  fs.mkdirSync(folder);
  fs.chmodSync(folder, mode);
  return folder;
}

test("a new folder is closed to others, whatever the umask allows", () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const folder = place();
  makePrivateFolder(folder);
  expect(modeOf(folder)).toBe(0o700);
});

test("a folder that others may read is closed to them", () => {
  const folder = folderWith(0o755);
  makePrivateFolder(folder);
  expect(modeOf(folder)).toBe(0o700);
});

test.each([0o777, 0o1777, 0o770, 0o702])(
  "a folder that others may write is refused and left as it is: %o",
  (mode) => {
    const folder = folderWith(mode);
    expect(() => makePrivateFolder(folder)).toThrowError(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining("chmod 700") }),
    );
    expect(modeOf(folder)).toBe(mode & 0o777);
  },
);

test("a folder of another account is refused", () => {
  const folder = folderWith(0o700);
  const other = (process.getuid?.() ?? 0) + 1;
  expect(() => makePrivateFolder(folder, other)).toThrowError(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining("belongs to account"),
    }),
  );
});

test("a symlink is refused, wherever it leads", () => {
  const link = place();
  for (const target of [folderWith(0o700), path.join(path.dirname(link), "nowhere")]) {
    fs.symlinkSync(target, link);
    expect(() => makePrivateFolder(link)).toThrowError(expect.objectContaining({ exitCode: 2 }));
    fs.rmSync(link);
  }
});

test("a file is no folder", () => {
  const file = place();
  fs.writeFileSync(file, "");
  expect(() => makePrivateFolder(file)).toThrowError(expect.objectContaining({ exitCode: 2 }));
});
