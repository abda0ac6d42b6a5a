import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import { historyOf, isDelta, openSession, submit, untilEvent } from "../support/session.ts";

const FAULT = fileURLToPath(new URL("./fixtures/fault-on-signal.mjs", import.meta.url));

test("a SIGTERM while the server starts ends it in order, with 0 and no process left", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  for (const sessionId of ["a", "b", "c"]) {
    await openSession(client, sessionId);
    await submit(client, sessionId, "/slow");
    await submit(client, sessionId, "next", { whenBusy: "queue" });
  }
  expect(await server.term()).toEqual({ code: 0, signal: null });
  const holderFile = path.join(server.dataDir, "lock.pid");
  const exit = server.attempt();
  await expect.poll(() => existsSync(holderFile), { interval: 1, timeout: 20_000 }).toBe(true);
  server.sendSignal("SIGTERM");
  await exit;
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await server.assertNoAdapters();
  expect(existsSync(holderFile)).toBe(false);
});

test.each([
  ["SIGUSR2", "thrown on purpose"],
  ["SIGHUP", "rejected on purpose"],
] as const)(
  "a bug (%s) is logged, ends turns in order and the server with 70",
  async (signal, text) => {
    await using server = await ServerProcess.start({ env: { NODE_OPTIONS: `--import=${FAULT}` } });
    const client = await server.connect();
    await openSession(client, "main");
    const promptId = await submit(client, "main", "/slow");
    await untilEvent(client, "main", isDelta);
    server.sendSignal(signal);
    expect(await server.exited).toEqual({ code: 70, signal: null });
    expect(server.stderr).toContain(text);
    expect(server.stderr).toContain("fault-on-signal.mjs:");
    await server.assertNoAdapters();
    await server.start();
    expect((await historyOf(client, "main")).at(-1)).toMatchObject({
      type: "_signalbox/turn_ended",
      promptId,
      stopReason: "cancelled",
    });
  },
);
