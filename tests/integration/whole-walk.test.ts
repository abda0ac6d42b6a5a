import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import {
  historyOf,
  isType,
  openSession,
  spokenIn,
  submit,
  untilEvent,
} from "../support/session.ts";

test("a session is opened, spoken to, asked, configured, unloaded, restored and deleted", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  const { sessions, permissions } = client.api;
  const sessionId = "walk";

  await openSession(client, sessionId, { permissionPolicy: "ask" });
  const opened = await sessions.get.query({ sessionId });
  expect(opened).toMatchObject({
    sessionId,
    agent: "demo",
    cwd: server.workspace,
    permissionPolicy: "ask",
    state: { status: "idle" },
    adapter: "live",
  });
  expect(await server.adapters()).not.toEqual([]);

  const said = await client.prompt({ sessionId, text: "hello from the test" });
  expect(said).toMatchObject({ sessionId, stopReason: "end_turn", message: { role: "agent" } });
  expect(JSON.stringify(said.message?.content)).toContain("hello from the test");

  const asking = await submit(client, sessionId, "/permission");
  const request = await untilEvent(client, sessionId, isType("permission_request"));
  const requestId = String(request.requestId);
  expect(await sessions.get.query({ sessionId })).toMatchObject({
    state: { status: "waiting", promptId: asking, requests: [{ requestId }] },
    pendingPermissions: 1,
  });
  expect(await permissions.pending.query({})).toMatchObject({
    requests: [{ sessionId, requestId }],
  });
  expect(await permissions.respond.mutate({ sessionId, requestId, optionId: "allow" })).toEqual({
    status: "accepted",
  });
  expect(await sessions.awaitPrompt.mutate({ sessionId, promptId: asking })).toMatchObject({
    stopReason: "end_turn",
  });
  const events = await historyOf(client, sessionId);
  expect(spokenIn(events, asking)).toContain("`allow`");
  expect(events.find(isType("permission_response"))).toMatchObject({
    requestId,
    status: "accepted",
    outcome: { outcome: "selected", optionId: "allow" },
    resolvedBy: { kind: "token" },
  });

  const before = await sessions.config.query({ sessionId });
  const changed = await sessions.setConfigOption.mutate({
    sessionId,
    configId: "model",
    value: "demo-thorough",
  });
  expect(changed.revision).toBeGreaterThan(before.revision);
  expect(await sessions.config.query({ sessionId })).toMatchObject({
    revision: changed.revision,
    options: changed.options,
  });

  await sessions.unload.mutate({ sessionId });
  await server.assertNoAdapters();
  expect(await sessions.get.query({ sessionId })).toMatchObject({ adapter: "unloaded" });

  const recalled = await client.prompt({ sessionId, text: "what did I say before?" });
  expect(JSON.stringify(recalled.message?.content)).toContain("hello from the test");
  const restored = (await historyOf(client, sessionId)).find(isType("_signalbox/restored"));
  expect(restored).toMatchObject({ mode: "resumed", promptId: recalled.promptId });
  expect(await sessions.config.query({ sessionId })).toMatchObject({
    options: expect.arrayContaining([
      expect.objectContaining({ id: "model", currentValue: "demo-thorough" }),
    ]),
  });

  const { latestSequence } = await sessions.get.query({ sessionId });
  await sessions.delete.mutate({ sessionId });
  await server.assertNoAdapters();
  await expect(sessions.get.query({ sessionId })).rejects.toMatchObject({
    code: "session_not_found",
  });
  await sessions.delete.mutate({ sessionId });
  await openSession(client, sessionId);
  await client.prompt({ sessionId, text: "again" });
  const again = await historyOf(client, sessionId);
  expect(again[0]?.sequence).toBeGreaterThan(latestSequence);
});

test("one key is one turn, over HTTP and over the socket, also while it runs", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  const { sessions } = client.api;
  await openSession(client, "main", { permissionPolicy: "ask" });
  const input = {
    idempotencyKey: "once",
    content: [{ type: "text", text: "/permission" }],
  };
  const blocked = sessions.prompt.mutate(input);
  const request = await untilEvent(client, "main", isType("permission_request"));
  const repeated = await sessions.submitPrompt.mutate(input);
  expect(repeated.repeated).toBe(true);
  await client.api.permissions.respond.mutate({
    sessionId: "main",
    requestId: String(request.requestId),
    optionId: "reject",
  });
  const result = await blocked;
  expect(result.promptId).toBe(repeated.promptId);
  expect(await sessions.prompt.mutate(input)).toEqual(result);
  const accepted = (await historyOf(client, "main")).filter(isType("user_message_chunk"));
  expect(accepted).toHaveLength(1);
  const other = { ...input, content: [{ type: "text", text: "else" }] };
  await expect(sessions.submitPrompt.mutate(other)).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
});

test("queued prompts run in order after the turn ahead", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const running = await submit(client, "main", "/slow");
  await expect(submit(client, "main", "refused")).rejects.toMatchObject({ code: "session_busy" });
  const second = await submit(client, "main", "second", { whenBusy: "queue" });
  const third = await submit(client, "main", "third", { whenBusy: "queue" });
  expect(await client.api.sessions.get.query({})).toMatchObject({
    queuedPrompts: [{ promptId: second }, { promptId: third }],
  });
  await client.api.sessions.cancelPrompt.mutate({ promptId: running });
  expect(await client.api.sessions.awaitPrompt.mutate({ promptId: third })).toMatchObject({
    stopReason: "end_turn",
  });
  const events = await historyOf(client, "main");
  const ends = events.filter(isType("_signalbox/turn_ended")).map(({ promptId }) => promptId);
  expect(ends).toEqual([running, second, third]);
});

test("losing the caller's connection cancels no turn", async () => {
  await using server = await ServerProcess.start();
  const caller = await server.connect();
  await openSession(caller, "main");
  const watcher = await server.connect();
  const content = [{ type: "text", text: "/long 40 20" }];
  const lost = caller.api.sessions.prompt.mutate({ content, idempotencyKey: "k" });
  await Promise.all([
    expect(lost).rejects.toMatchObject({ name: "SignalboxConnectionError" }),
    untilEvent(watcher, "main", isType("user_message_chunk")).then(() => caller.close()),
  ]);
  const result = await watcher.api.sessions.prompt.mutate({ content, idempotencyKey: "k" });
  expect(result.stopReason).toBe("end_turn");
  expect(JSON.stringify(result.message?.content)).toContain("chunk 40 of 40");
});
