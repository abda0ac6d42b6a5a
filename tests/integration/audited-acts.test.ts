import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import { isDelta, openSession, submit, untilEvent } from "../support/session.ts";

test("each act of a session's life, and of the server's, is in the audit log with who did it", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  const { sessions } = client.api;
  const sessionId = "acts";
  await openSession(client, sessionId);
  await sessions.setConfigOption.mutate({ sessionId, configId: "mode", value: "plan" });
  await sessions.rotateEnv.mutate({ sessionId, env: { API_KEY: "secret-value" } });
  await submit(client, sessionId, "/slow");
  await untilEvent(client, sessionId, isDelta);
  await sessions.cancelPrompt.mutate({ sessionId, wait: true });
  await sessions.cancelPrompt.mutate({ sessionId });
  await sessions.unload.mutate({ sessionId });
  await sessions.delete.mutate({ sessionId });
  expect(await server.term()).toEqual({ code: 0, signal: null });
  await server.start();

  await using again = await server.connect();
  const { rows } = await again.api.audit.list.query({ limit: 50 });
  const acts = rows.toReversed().map(({ action, outcome, actor }) => [action, outcome, actor.kind]);
  expect(acts.filter(([action]) => action !== "tokens.create")).toEqual([
    ["server.start", "ok", "system"],
    ["sessions.open", "ok", "token"],
    ["sessions.setConfigOption", "ok", "token"],
    ["sessions.rotateEnv", "ok", "token"],
    ["sessions.cancelPrompt", "cancelled", "token"],
    ["sessions.cancelPrompt", "no_active_prompt", "token"],
    ["sessions.unload", "ok", "token"],
    ["sessions.delete", "ok", "token"],
    ["server.stop", "ok", "system"],
    ["server.start", "ok", "system"],
  ]);
  const change = rows.find((row) => row.action === "sessions.setConfigOption");
  expect(change).toMatchObject({ sessionId, target: "mode", details: { value: "plan" } });
  expect(JSON.stringify(rows)).not.toContain("secret-value");
});
