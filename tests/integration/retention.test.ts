/** What a server with small limits keeps, and what readers of the rest are told. */

import type { SignalboxClient } from "@signalbox/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import { historyOf, itemsUntilEnd, openSession, submit } from "../support/session.ts";

const MAX_EVENTS = 12;

let server: ServerProcess;
let client: SignalboxClient;

beforeAll(async () => {
  server = await ServerProcess.start({
    limits: { maxSessionHistoryEvents: MAX_EVENTS, maxPromptsPerSession: 3 },
  });
  client = await server.connect();
});
afterAll(() => server[Symbol.asyncDispose]());

async function turns(sessionId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await client.prompt({ sessionId, text: `/echo ${n}` });
}

/** The oldest sequence, once history is within its limit. */
async function settledAt(sessionId: string): Promise<number> {
  let oldest = 0;
  await expect
    .poll(async () => {
      const page = await client.api.sessions.history.query({ sessionId });
      oldest = page.oldestSequence;
      return page.latestSequence - page.oldestSequence + 1;
    })
    .toBeLessThanOrEqual(MAX_EVENTS);
  return oldest;
}

test("an old cursor has expired, and a new follower begins with the oldest that is kept", async () => {
  const sessionId = "followed";
  await openSession(client, sessionId);
  const first = await submit(client, sessionId, "/echo first");
  const [oldItem] = await itemsUntilEnd(client, sessionId, first);
  await turns(sessionId, 8);
  const oldestSequence = await settledAt(sessionId);
  expect(oldestSequence).toBeGreaterThan(MAX_EVENTS);

  const expired = { code: "history_cursor_expired", details: { oldestSequence } };
  const next = async (from: object) => {
    const follower = client.followSession({ sessionId, ...from });
    try {
      return await follower.next();
    } finally {
      await follower.return(undefined);
    }
  };
  await expect(next({ lastEventId: oldItem?.cursor })).rejects.toMatchObject(expired);
  await expect(next({ after: 1 })).rejects.toMatchObject(expired);
  for (const query of [{ after: oldestSequence - 2 }, { before: oldestSequence - 2 }]) {
    const page = client.api.sessions.history.query({ sessionId, ...query });
    await expect(page).rejects.toMatchObject({ ...expired, httpStatus: 409 });
  }
  for (const after of [0, oldestSequence - 1]) {
    const { value } = await next({ after });
    expect(value?.event).toMatchObject({ durability: "durable", sequence: oldestSequence });
  }
  const events = await historyOf(client, sessionId);
  expect(events[0]?.sequence).toBe(oldestSequence);
  expect(events.at(-1)?.type).toBe("_signalbox/turn_ended");
});

test("a follower that keeps up sees every event, however often history is cut behind it", async () => {
  const sessionId = "live";
  await openSession(client, sessionId);
  const follower = client.followSession({ sessionId, after: 0 });
  const sequences: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const promptId = await submit(client, sessionId, `/echo ${n}`);
    for (let isOver = false; !isOver; ) {
      const { value, done } = await follower.next();
      if (done) throw new Error("the stream ended");
      const { event } = value;
      if (event.durability === "durable") sequences.push(event.sequence);
      isOver = event.type === "_signalbox/turn_ended" && event.promptId === promptId;
    }
  }
  await follower.return(undefined);
  expect(await settledAt(sessionId)).toBeGreaterThan(1);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
});

test("many sessions at their limit are all kept within it, and over a restart", async () => {
  const sessionIds = Array.from({ length: 6 }, (_, n) => `crowd-${n}`);
  await Promise.all(sessionIds.map((sessionId) => openSession(client, sessionId)));
  await Promise.all(sessionIds.map((sessionId) => turns(sessionId, 6)));
  const oldest = await Promise.all(sessionIds.map(settledAt));
  expect(Math.min(...oldest)).toBeGreaterThan(1);
  await server.kill9();
  await server.start();
  client = await server.connect();
  const afterwards = await Promise.all(
    sessionIds.map((sessionId) => client.api.sessions.history.query({ sessionId, after: 0 })),
  );
  expect(afterwards.map((page) => page.events[0]?.sequence)).toEqual(oldest);
  expect(afterwards.map((page) => page.hasMoreBefore)).toEqual(oldest.map(() => false));
});

test("a key is remembered as long as its prompt, and is a new prompt afterwards", async () => {
  const sessionId = "keys";
  await openSession(client, sessionId);
  const content = [{ type: "text", text: "/echo keyed" }];
  const ask = () =>
    client.api.sessions.submitPrompt.mutate({ sessionId, content, idempotencyKey: "k" });
  const { promptId } = await ask();
  const result = await client.api.sessions.awaitPrompt.mutate({ sessionId, promptId });
  expect(result).toMatchObject({ stopReason: "end_turn" });
  expect(await ask()).toMatchObject({ promptId, repeated: true });
  await turns(sessionId, 3);
  const afterwards = () =>
    client.api.sessions.awaitPrompt
      .mutate({ sessionId, promptId, waitMs: 0 })
      .catch((error: unknown) => error);
  await expect.poll(afterwards).toMatchObject({ code: "prompt_not_found", httpStatus: 404 });
  expect((await ask()).promptId).not.toBe(promptId);
});
