import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { OPERATOR, scriptedAgent, testRuntime } from "../testing/index.ts";
import { assertFolders } from "./session-folders.ts";

/** A root with a folder in it, and a data folder that a wide root would reach. */
function place() {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-folders-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  const [root, data] = [path.join(dir, "root"), path.join(dir, "data")];
  fs.mkdirSync(path.join(root, "project"), { recursive: true });
  fs.mkdirSync(path.join(data, "inner"), { recursive: true });
  return { dir, root, data };
}

const folders = (cwd: string, ...additionalDirectories: string[]) => ({
  cwd,
  additionalDirectories,
});

test("a folder inside a root is fine, also behind a symlink that stays inside", async () => {
  const { root, data } = place();
  const deps = { workspaceRoots: [root], closedFolder: data };
  fs.symlinkSync(path.join(root, "project"), path.join(root, "link"));
  await assertFolders(deps, folders(root, path.join(root, "project"), path.join(root, "link")));
});

test("a symlink out of the roots is outside, for each folder of a session", async () => {
  const { dir, root, data } = place();
  const deps = { workspaceRoots: [root], closedFolder: data };
  for (const target of ["/", dir, "/etc"]) {
    const link = path.join(root, "way-out");
    fs.symlinkSync(target, link);
    await expect(assertFolders(deps, folders(link))).rejects.toMatchObject({
      code: "invalid_cwd",
      details: { field: "cwd" },
    });
    await expect(assertFolders(deps, folders(root, root, link))).rejects.toMatchObject({
      code: "invalid_cwd",
      details: { field: "additionalDirectories.1" },
    });
    fs.rmSync(link);
  }
});

test("the data folder, what is in it and what is around it is no workspace, however wide the roots", async () => {
  const { dir, root, data } = place();
  const deps = { workspaceRoots: [dir], closedFolder: data };
  fs.symlinkSync(data, path.join(root, "to-data"));
  const refused = [data, path.join(data, "inner"), dir, path.join(root, "to-data", "inner")];
  for (const folder of refused) {
    await expect(assertFolders(deps, folders(folder)), folder).rejects.toMatchObject({
      code: "invalid_cwd",
    });
    await expect(assertFolders(deps, folders(root, folder)), folder).rejects.toMatchObject({
      code: "invalid_cwd",
    });
  }
  await assertFolders(deps, folders(root));
  await assertFolders({ ...deps, workspaceRoots: ["/"] }, folders(root));
});

test("a path that was changed after the open is looked at again before the next start", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  const [cwd, safe] = [path.join(ctx.workspace, "link"), path.join(ctx.workspace, "safe")];
  fs.mkdirSync(safe);
  fs.symlinkSync(safe, cwd);
  await ctx.open({ cwd });
  await ctx.prompt("first");
  await ctx.runtime.unloadSession("main", OPERATOR);
  fs.rmSync(cwd);
  fs.symlinkSync("/", cwd);
  await expect(ctx.prompt("second")).rejects.toMatchObject({ code: "invalid_cwd" });
  await expect(ctx.open({ cwd })).rejects.toMatchObject({ code: "invalid_cwd" });
  expect(agent.launches).toHaveLength(1);
  fs.rmSync(cwd);
  await expect(ctx.prompt("third")).rejects.toMatchObject({ code: "cwd_missing" });
  fs.symlinkSync(safe, cwd);
  await ctx.prompt("fourth");
  expect(agent.launches).toHaveLength(2);
});
