import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { rawHttp } from "../support/raw-calls.ts";
import { ServerProcess } from "../support/server-process.ts";

test("a server that cannot store is degraded until it can", { timeout: 60_000 }, async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  const status = async () => {
    const answers = await Promise.all([
      rawHttp(`${server.url}/healthz`),
      rawHttp(`${server.url}/trpc/system.health`),
    ]);
    return answers.map(({ json }) => JSON.stringify(json).match(/"status":"(\w+)"/)?.[1]);
  };
  expect(await status()).toEqual(["ok", "ok"]);
  await client.api.sessions.open.mutate({ agent: "demo" });
  const held = new SqliteDatabase(path.join(server.dataDir, "signalbox.db"));
  held.exec("BEGIN IMMEDIATE");
  const refused = client.api.sessions.submitPrompt.mutate({
    content: [{ type: "text", text: "hello" }],
  });
  await expect(refused).rejects.toMatchObject({ code: "storage_busy", retryable: true });
  expect(await status()).toEqual(["degraded", "degraded"]);
  held.exec("ROLLBACK");
  held.close();
  expect((await client.prompt({ text: "hello" })).stopReason).toBe("end_turn");
  expect(await status()).toEqual(["ok", "ok"]);
});
