import { expect, test } from "vitest";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import {
  historyOf,
  isDelta,
  isEndOf,
  isType,
  openSession,
  spokenIn,
  submit,
  textOf,
  untilEvent,
} from "../support/session.ts";

test("a server killed in a turn closes it as uncertain, keeps its text and goes on", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", "/slow", { idempotencyKey: "k" });
  let spoken = "";
  for await (const { event } of client.followSession({ after: 0 })) {
    if (!isDelta(event)) continue;
    spoken += textOf(event);
    if (spoken.length > 1_000) break;
  }
  await server.kill9();
  await server.start();
  await server.assertNoAdapters();

  const events = await historyOf(client, "main");
  expect(events.at(-1)).toMatchObject({
    type: "_signalbox/turn_ended",
    promptId,
    error: { code: "prompt_delivery_uncertain", retryable: false },
  });
  const partial = events.filter(isType("agent_message_chunk"));
  expect(partial).toHaveLength(1);
  expect(partial[0]).toMatchObject({ _meta: { "signalbox/partial": true } });
  expect(spokenIn(events, promptId).startsWith("Still going, 1. ")).toBe(true);

  await expect(client.api.sessions.awaitPrompt.mutate({ promptId })).rejects.toMatchObject({
    code: "prompt_delivery_uncertain",
  });
  await expect(client.prompt({ text: "/slow", idempotencyKey: "k" })).rejects.toMatchObject({
    code: "prompt_delivery_uncertain",
  });
  expect(await client.api.sessions.get.query({})).toMatchObject({
    state: { status: "failed", error: { code: "prompt_delivery_uncertain" } },
    adapter: "unloaded",
  });
  expect(await client.prompt({ text: "still there?" })).toMatchObject({ stopReason: "end_turn" });
  expect((await historyOf(client, "main")).filter(isType("_signalbox/restored"))).toHaveLength(1);
});

test("a server killed with open permissions ends each of them before the turn", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main", { permissionPolicy: "ask" });
  const promptId = await submit(client, "main", "/permissions 3");
  const requestIds: string[] = [];
  for await (const { event } of client.followSession({ after: 0 })) {
    if (isType("permission_request")(event)) requestIds.push(String(event.requestId));
    if (requestIds.length === 3) break;
  }
  await server.kill9();
  await server.start();
  await server.assertNoAdapters();

  const events = await historyOf(client, "main");
  const responses = events.filter(isType("permission_response"));
  expect(responses.map(({ requestId }) => requestId).sort()).toEqual([...requestIds].sort());
  for (const response of responses) {
    expect(response).toMatchObject({
      promptId,
      status: "not_pending",
      reason: "server_restarted",
      outcome: { outcome: "cancelled" },
    });
  }
  expect(events.at(-1)).toMatchObject({
    type: "_signalbox/turn_ended",
    promptId,
    error: { code: "prompt_delivery_uncertain" },
  });
  expect(
    await client.api.permissions.respond.mutate({
      sessionId: "main",
      requestId: requestIds[0] ?? "",
      optionId: "allow",
    }),
  ).toMatchObject({ status: "not_pending", reason: "server_restarted" });
  expect(await client.api.permissions.pending.query({})).toMatchObject({ requests: [] });
});

test("a prompt that was accepted and never sent is closed as not delivered", async () => {
  await using server = await ServerProcess.start({
    // Restoring never ends, so the turn stays before its dispatch mark.
    agents: { fickle: fickleAgent() },
  });
  const client = await server.connect();
  await openSession(client, "main", { agent: "fickle" });
  await client.api.sessions.unload.mutate({});
  const promptId = await submit(client, "main", "hello");
  await expect.poll(() => server.adapters()).not.toEqual([]);
  await server.kill9();
  await server.start();
  await server.assertNoAdapters();
  expect((await historyOf(client, "main")).at(-1)).toMatchObject({
    type: "_signalbox/turn_ended",
    promptId,
    error: { code: "prompt_not_delivered", retryable: true },
  });
});

test("queued prompts outlive a kill and run in order, each once", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const running = await submit(client, "main", "/slow");
  const second = await submit(client, "main", "second", { whenBusy: "queue" });
  const third = await submit(client, "main", "third", { whenBusy: "queue" });
  await untilEvent(client, "main", isDelta);
  await server.kill9();
  await server.start();
  await untilEvent(client, "main", isEndOf(third));
  const events = await historyOf(client, "main");
  const ends = events.filter(isType("_signalbox/turn_ended"));
  expect(ends.map(({ promptId }) => promptId)).toEqual([running, second, third]);
  expect(ends[1]).toMatchObject({ stopReason: "end_turn" });
  const users = events.filter(isType("user_message_chunk")).map(({ promptId }) => promptId);
  expect(users).toEqual([running, second, third]);
});

test("adapters that outlive a killed server are gone after the restart", async () => {
  await using server = await ServerProcess.start({
    agents: {
      deaf: childAgent("ignore-sigterm"),
      leaving: childAgent("setsid-grandchild"),
    },
  });
  const client = await server.connect();
  await openSession(client, "deaf", { agent: "deaf" });
  await openSession(client, "leaving", { agent: "leaving" });
  await client.prompt({ sessionId: "leaving", text: "leave a sleeper" });
  await server.kill9();
  expect(await server.adapters()).not.toEqual([]);
  await server.start();
  expect(await server.adapters()).toEqual([]);
});

test("a prompt of the client outlives a kill between submission and result", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const running = client.prompt({ text: "/slow" });
  const failed = expect(running).rejects.toMatchObject({ code: "prompt_delivery_uncertain" });
  await untilEvent(client, "main", isDelta);
  await server.kill9();
  await server.start();
  await failed;
});

test("a follower goes on over a kill and a restart without a gap", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  await client.prompt({ text: "before" });
  const sequences: number[] = [];
  const following = (async () => {
    for await (const { event } of client.followSession({ after: 0 })) {
      if (event.durability === "durable") sequences.push(event.sequence);
      if (isType("agent_message_chunk")(event) && JSON.stringify(event).includes("after")) return;
    }
  })();
  await expect.poll(() => sequences.length).toBeGreaterThan(0);
  await server.kill9();
  await server.start();
  await client.prompt({ text: "after" });
  await following;
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
});

/** Starts a session at once, but never answers when it is started a second time. */
function fickleAgent(): Record<string, unknown> {
  const script = `
    const fs = require("node:fs");
    const isFirst = !fs.existsSync("started");
    fs.writeFileSync("started", "");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === "initialize"
        ? { protocolVersion: 1, agentCapabilities: {} }
        : { sessionId: "s" };
      if (isFirst) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    }).on("close", () => process.exit(0));
  `;
  return { command: process.execPath, args: ["-e", script] };
}
