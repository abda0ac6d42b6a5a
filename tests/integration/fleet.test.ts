import type { FleetEvent, Followed } from "@signalbox/client";
import { expect, test } from "vitest";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { isDelta, openSession, submit, untilEvent } from "../support/session.ts";
import type { SessionClient } from "../support/types.ts";

/** Follows until an event that fits has come; leaves and returns after every item when told so. */
async function fleetUntil(
  client: SessionClient,
  fits: (event: FleetEvent) => boolean,
  { leaves, onReady }: { leaves: boolean; onReady: () => void },
): Promise<FleetEvent[]> {
  const items: Followed<FleetEvent>[] = [];
  for (;;) {
    const lastEventId = items.at(-1)?.cursor;
    for await (const item of client.followFleet(lastEventId ? { lastEventId } : {})) {
      items.push(item);
      if (items.length === 1) onReady();
      if (fits(item.event)) return items.map(({ event }) => event);
      if (leaves) break;
    }
  }
}

function idOf(event: FleetEvent): string {
  if ("session" in event) return event.session.sessionId;
  return "request" in event ? event.request.sessionId : event.sessionId;
}

test.each([
  ["stays", false],
  ["leaves after every item", true],
])("a follower of all sessions that %s sees what an operator must know", async (_name, leaves) => {
  await using server = await ServerProcess.start({ agents: { crash: childAgent("crash") } });
  const client = await server.connect();
  const ready = deferred();
  const seen = fleetUntil(
    client,
    (event) => event.type === "session_deleted" && event.sessionId === "asking",
    { leaves, onReady: ready.resolve },
  );
  await nudgeUntil(client, ready.promise);

  await openSession(client, "asking", { permissionPolicy: "ask" });
  const promptId = await submit(client, "asking", "/permission");
  await expect
    .poll(async () => (await client.api.permissions.pending.query({})).requests)
    .toHaveLength(1);
  const [request] = (await client.api.permissions.pending.query({})).requests;
  const requestId = request?.requestId ?? "";
  await client.api.permissions.respond.mutate({
    sessionId: "asking",
    requestId,
    optionId: "allow",
  });
  await client.api.sessions.awaitPrompt.mutate({ sessionId: "asking", promptId });
  await openSession(client, "crashing", { agent: "crash" });
  await expect(client.prompt({ sessionId: "crashing", text: "go" })).rejects.toMatchObject({
    code: "adapter_exited",
  });
  await client.api.sessions.delete.mutate({ sessionId: "asking" });

  const events = await seen;
  const of = (sessionId: string) => events.filter((event) => idOf(event) === sessionId);
  const asking = of("asking").map(({ type }) => type);
  expect(asking[0]).toBe("session_created");
  expect(asking.filter((type) => type === "permission_requested")).toHaveLength(1);
  expect(asking.filter((type) => type === "permission_resolved")).toHaveLength(1);
  expect(asking.filter((type) => type === "session_deleted")).toHaveLength(1);
  expect(events.find(({ type }) => type === "permission_resolved")).toMatchObject({
    requestId,
    status: "accepted",
    resolvedBy: { kind: "token" },
  });
  const exits = of("crashing").filter(({ type }) => type === "adapter_exited");
  expect(exits).toMatchObject([{ exitCode: 3, signal: null, expected: false }]);
});

test("a follower of all sessions goes on over a kill and a restart", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  const ready = deferred();
  const seen = fleetUntil(
    client,
    (event) => "session" in event && event.session.sessionId === "after",
    { leaves: false, onReady: ready.resolve },
  );
  await nudgeUntil(client, ready.promise);
  await openSession(client, "main");
  await submit(client, "main", "/slow");
  await untilEvent(client, "main", isDelta);
  await server.kill9();
  await server.start();
  await openSession(client, "after");
  const events = await seen;
  const states = events.flatMap((event) =>
    "session" in event && event.session.sessionId === "main" ? [event.session.state.status] : [],
  );
  expect(states.at(-1)).toBe("failed");
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A stream of the present has no first item of its own, so one is made until it shows. */
async function nudgeUntil(client: SessionClient, ready: Promise<void>): Promise<void> {
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  await expect
    .poll(async () => {
      await openSession(client, "nudge");
      await client.api.sessions.delete.mutate({ sessionId: "nudge" });
      return isReady;
    })
    .toBe(true);
}
