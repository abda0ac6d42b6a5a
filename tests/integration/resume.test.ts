import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import {
  historyOf,
  isDelta,
  isEndOf,
  isType,
  itemsUntilEnd,
  openSession,
  submit,
  textOf,
} from "../support/session.ts";
import { Transcript } from "../support/transcript.ts";
import type { Followed, SessionClient } from "../support/types.ts";

/** Leaves after every single item and comes back with its cursor, up to the end of the turn. */
async function leaveAfterEveryItem(client: SessionClient, promptId: string): Promise<Followed[]> {
  const items: Followed[] = [];
  for (;;) {
    const last = items.at(-1);
    if (last && isEndOf(promptId)(last.event)) return items;
    const from = last ? { lastEventId: last.cursor } : { after: 0 };
    for await (const item of client.followSession(from)) {
      items.push(item);
      break;
    }
  }
}

test.each([
  ["a long message", "/long 60 5"],
  ["everything an agent can do", "/tour"],
])("a subscriber that leaves after every item of %s misses nothing", async (_name, text) => {
  // With a pause between chunks, so that there are many live positions to leave at.
  await using server = await ServerProcess.start({ env: { SIGNALBOX_DEMO_DELAY_MS: "5" } });
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", text);
  const [broken, whole] = await Promise.all([
    leaveAfterEveryItem(client, promptId),
    itemsUntilEnd(client, "main", promptId),
  ]);
  const stored = await historyOf(client, "main");
  for (const items of [broken, whole]) {
    const transcript = Transcript.of(items);
    expect(transcript.problems).toEqual([]);
    expect(transcript.durable).toEqual(stored);
  }
  expect(broken.filter(({ event }) => isDelta(event)).length).toBeGreaterThan(1);
});

test("a finished turn can be resumed from every cursor that was ever handed out", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", "/long 20 5");
  const items = await itemsUntilEnd(client, "main", promptId);
  const stored = await historyOf(client, "main");
  expect(items.some(({ event }) => event.durability === "ephemeral")).toBe(true);
  for (const { cursor, event } of items.slice(0, -1)) {
    const rest = await itemsUntilEnd(client, "main", promptId, { lastEventId: cursor });
    const seen = event.durability === "durable" ? event.sequence : event.afterSequence;
    expect(rest.map((item) => item.event)).toEqual(stored.slice(seen));
  }
});

test("a subscriber that joins in a message gets it from its beginning", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", "/long 80 10");
  let first = "";
  for await (const { event } of client.followSession({ after: 0 })) {
    if (isDelta(event)) first += textOf(event);
    if (first.includes("chunk 10 of")) break;
  }
  const joined: Followed[] = [];
  for await (const item of client.followSession()) {
    joined.push(item);
    if (isEndOf(promptId)(item.event)) break;
  }
  expect(isDelta(joined[0]?.event ?? fail())).toBe(true);
  expect(textOf(joined[0]?.event ?? fail()).startsWith(first)).toBe(true);
  expect(Transcript.of(joined).problems).toEqual([]);
});

test("neither a cursor of another session nor one from before a delete is taken", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "one");
  await openSession(client, "two");
  const promptId = await submit(client, "one", "hello");
  const [item] = await itemsUntilEnd(client, "one", promptId);
  const lastEventId = item?.cursor ?? fail();
  expect(lastEventId.length).toBeLessThanOrEqual(256);
  const next = (from: object) => client.followSession({ sessionId: "two", ...from }).next();
  await expect(next({ lastEventId })).rejects.toMatchObject({ code: "invalid_history_cursor" });
  await expect(next({ lastEventId: "junk" })).rejects.toMatchObject({
    code: "invalid_history_cursor",
  });
  await expect(next({ after: -1 })).rejects.toMatchObject({ code: "invalid_history_cursor" });
  await expect(next({ after: 9_999 })).rejects.toMatchObject({ code: "history_cursor_ahead" });

  await client.api.sessions.delete.mutate({ sessionId: "one" });
  await openSession(client, "one");
  await expect(
    client.followSession({ sessionId: "one", lastEventId }).next(),
  ).rejects.toMatchObject({ code: "history_cursor_expired" });
});

test("deleting a session ends its followers with session_not_found", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  await client.prompt({ text: "hello" });
  const following = (async () => {
    for await (const { event } of client.followSession({ after: 0 })) {
      if (isType("_signalbox/turn_ended")(event)) {
        await client.api.sessions.delete.mutate({});
      }
    }
  })();
  await expect(following).rejects.toMatchObject({ code: "session_not_found" });
});

function fail(): never {
  throw new Error("there is no such item");
}
