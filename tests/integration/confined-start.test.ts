/** Agents that cannot be confined as they should: they are not started. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { openSession } from "../support/session.ts";

vi.setConfig({ testTimeout: 60_000 });

test("where bubblewrap is missing a start says so in words", async () => {
  const empty = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-no-tools-"));
  onTestFinished(() => fs.rmSync(empty, { recursive: true }));
  await using server = await ServerProcess.start({
    agents: { caged: { ...childAgent("talk"), launcher: "bwrap" } },
    env: { PATH: empty },
  });
  const client = await server.connect();
  await expect(openSession(client, "main", { agent: "caged" })).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    message: expect.stringMatching(/behind bubblewrap.*(install bubblewrap|needs Linux)/),
  });
});

test("a path that would not be found inside is refused at the start", async () => {
  await using server = await ServerProcess.prepare({
    agents: { caged: { ...childAgent("talk"), launcher: "bwrap", writable: ["state"] } },
  });
  expect(await server.attempt()).toMatchObject({ code: 2 });
  expect(server.stderr).toContain("agents.caged.writable.0");
});
