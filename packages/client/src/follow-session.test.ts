import { AppError, type SessionEvent } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { connect } from "./index.ts";
import { ScriptedServer } from "./testing/scripted-server.ts";

function item(sequence: number): { id: string; event: SessionEvent } {
  const event: SessionEvent = {
    durability: "durable",
    sessionId: "main",
    sequence,
    timestamp: "2026-01-01T00:00:00.000Z",
    promptId: null,
    type: "plan",
  };
  return { id: String(sequence), event };
}

/** Serves 1 to `last` after the cursor, then waits until the subscriber leaves. */
async function* numbered(input: Record<string, unknown>, last: number, signal: AbortSignal) {
  for (let at = startOf(input) + 1; at <= last; at += 1) yield item(at);
  await ended(signal);
}

function startOf({ lastEventId, after }: Record<string, unknown>): number {
  return Number(lastEventId ?? after ?? 0);
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function take(items: AsyncIterable<{ event: SessionEvent }>, count: number) {
  const seen: unknown[] = [];
  for await (const { event } of items) {
    seen.push(event.sequence);
    if (seen.length === count) break;
  }
  return seen;
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test("a follower resumes at its cursor when its socket is cut after every item", async () => {
  await using server = await ScriptedServer.start({
    events: async function* (input, signal) {
      yield item(startOf(input) + 1);
      server.dropSockets();
      await ended(signal);
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await take(client.followSession({ after: 0 }), 4)).toEqual(upTo(4));
});

test("a follower outlives a restart of the server", async () => {
  let isFirst = true;
  await using server = await ScriptedServer.start({
    events: async function* (input, signal) {
      yield item(startOf(input) + 1);
      if (isFirst) void server.stop().then(() => server.start());
      isFirst = false;
      yield item(startOf(input) + 2);
      await ended(signal);
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await take(client.followSession({ after: 0 }), 3)).toEqual(upTo(3));
});

test("a follower whose stream the server ended asks again from its cursor", async () => {
  await using server = await ScriptedServer.start({
    events: async function* (input) {
      yield item(startOf(input) + 1);
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await take(client.followSession({ after: 0 }), 3)).toEqual(upTo(3));
});

test("a slow reader holds few items and misses none", async () => {
  const starts: number[] = [];
  await using server = await ScriptedServer.start({
    events: (input, signal) => {
      starts.push(startOf(input));
      return numbered(input, 50, signal);
    },
  });
  await using client = connect({ url: server.url, token: "t", maxBufferedItems: 10 });
  const items = client.followSession({ after: 0 });
  const seen: unknown[] = [];
  for await (const { event } of items) {
    seen.push(event.sequence);
    await new Promise((resolve) => setImmediate(resolve));
    if (seen.length === 50) break;
  }
  expect(seen).toEqual(upTo(50));
  expect(starts).toEqual([0, 10, 20, 30, 40]);
});

test("a follower of the present keeps its place before its first item", async () => {
  const starts: number[] = [];
  await using server = await ScriptedServer.start({
    latestSequence: () => 7,
    events: async function* (input, signal) {
      starts.push(startOf(input));
      if (starts.length === 1) server.dropSockets();
      else yield item(startOf(input) + 1);
      await ended(signal);
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  expect(await take(client.followSession(), 1)).toEqual([8]);
  expect(starts).toEqual([7, 7]);
});

test.each([
  "session_not_found",
  "history_cursor_expired",
  "history_cursor_ahead",
  "invalid_history_cursor",
] as const)("%s ends a follower with that error", async (code) => {
  await using server = await ScriptedServer.start({
    events: async function* () {
      yield item(1);
      throw new AppError(code, "gone", { details: { oldestSequence: 9 } });
    },
  });
  await using client = connect({ url: server.url, token: "t" });
  const seen: unknown[] = [];
  const following = (async () => {
    for await (const { event } of client.followSession({ after: 0 })) seen.push(event.sequence);
  })();
  await expect(following).rejects.toMatchObject({ code, details: { oldestSequence: 9 } });
  expect(seen).toEqual([1]);
});

test("a socket closed for want of a valid token ends a follower as unauthorized", async () => {
  await using server = await ScriptedServer.start({
    isWelcome: (token) => token === "right",
    events: (input, signal) => numbered(input, 1, signal),
  });
  await using wrong = connect({ url: server.url, token: "wrong" });
  await expect(wrong.followSession({ after: 0 }).next()).rejects.toMatchObject({
    code: "unauthorized",
    httpStatus: 401,
  });
  await using right = connect({ url: server.url, token: "right" });
  expect(await take(right.followSession({ after: 0 }), 1)).toEqual([1]);
});

test("a socket that is refused before the subscription was sent ends the follower too", async () => {
  await using server = await ScriptedServer.start({ refusesSockets: true });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await using client = connect({ url: server.url, token: "t" });
    await expect(client.followSession({ after: 0 }).next()).rejects.toMatchObject({
      code: "unauthorized",
    });
  }
});

test("an aborted follower ends without an error", async () => {
  const controller = new AbortController();
  await using server = await ScriptedServer.start({
    events: (input, signal) => numbered(input, 2, signal),
  });
  await using client = connect({ url: server.url, token: "t" });
  const items = client.followSession({ after: 0, signal: controller.signal });
  await items.next();
  await items.next();
  const waiting = items.next();
  controller.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test("closing the client ends its followers and refuses further calls", async () => {
  await using server = await ScriptedServer.start({
    events: (input, signal) => numbered(input, 1, signal),
  });
  const client = connect({ url: server.url, token: "t" });
  const items = client.followSession({ after: 0 });
  await items.next();
  const waiting = items.next();
  await client.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  await expect(client.api.sessions.get.query({})).rejects.toMatchObject({
    name: "SignalboxConnectionError",
  });
});
