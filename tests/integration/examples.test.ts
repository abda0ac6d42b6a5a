import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/follow-and-answer.ts", import.meta.url));

test("the example prints the live text, answers the permission and cleans up", async () => {
  await using server = await ServerProcess.start();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", EXAMPLE],
    {
      env: {
        PATH: process.env.PATH,
        SIGNALBOX_URL: server.url,
        SIGNALBOX_DATA_DIR: server.dataDir,
      },
    },
  );
  expect(stderr).toBe("");
  expect(stdout).toContain("The agent asks: Delete the build folder");
  expect(stdout).toContain("Answered allow: accepted");
  expect(stdout.match(/You chose `allow`\. Nothing was deleted/g)).toHaveLength(2);
  expect(stdout).toContain("The turn ended with end_turn");
  const client = await server.connect();
  expect(await client.api.sessions.list.query({})).toMatchObject({ sessions: [] });
});
