import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { exactTextOf, exactTextsMade } from "./event-text.ts";
import { EventWindow } from "./event-window.ts";

const NEVER = new AbortController().signal;

test("a thousand readers of one session cost one read and one text of each event", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 20; n += 1) {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "t" });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const stop = new AbortController();
  const before = exactTextsMade();
  const seen = new Array<number>(1_000).fill(0);
  // A read makes events anew, so as many reads as there are objects of one event.
  const objects = new Set<object>();
  const following = seen.map(async (_, reader) => {
    const from = { sessionId: "main", after: 0, lastEventId: null };
    for await (const { event } of ctx.runtime.followSession(from, stop.signal)) {
      if (event.durability !== "durable") continue;
      objects.add(event);
      if (exactTextOf(event)) seen[reader] = event.sequence;
      if (event.type === "_signalbox/turn_ended") return;
    }
  });
  await ctx.prompt("go");
  await Promise.all(following);
  stop.abort();
  expect(seen.every((sequence) => sequence === 22)).toBe(true);
  expect(exactTextsMade() - before).toBe(22);
  expect(objects.size).toBe(22);
});

test("readers at one place share a read; one who is elsewhere reads for itself", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 1_000; n += 1) {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "t" });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  const window = new EventWindow(ctx.deps.db, "main");
  const leave = window.enter();
  const newest = (await ctx.runtime.getSession("main")).latestSequence;
  const first = await window.after(newest - 50);
  expect(first.events).toHaveLength(50);
  for (let reader = 0; reader < 100; reader += 1) {
    expect((await window.after(newest - 50)).events[0]).toBe(first.events[0]);
    expect((await window.after(newest - 10)).events).toHaveLength(10);
  }
  expect(window.reads).toBe(1);
  const old = await window.after(0);
  expect(old.events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  expect(old.hasMore).toBe(true);
  expect((await window.after(newest - 50)).events[0]).toBe(first.events[0]);
  expect(window.reads).toBe(2);
  leave();
  await window.after(newest - 50);
  expect(window.reads).toBe(3);
});

test("what is shared stays within its bounds, in whatever order it is read", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 30; n += 1) {
      await turn.update({ sessionUpdate: "big", text: "x".repeat(500_000) });
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  const window = new EventWindow(ctx.deps.db, "main");
  using _ = { [Symbol.dispose]: window.enter() };
  const seen: number[] = [];
  for (let after = 0; after < 32; ) {
    const { events } = await window.after(after);
    seen.push(...events.map(({ sequence }) => sequence));
    after = seen.at(-1) ?? after;
  }
  expect(seen).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  const bytes = (await window.after(24)).events.length;
  expect(bytes).toBeLessThanOrEqual(9);
});

test("a follower gets each event once while others come and go", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let n = 0; n < 50; n += 1) await turn.say(`${n} `, `m${n}`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const read = async (count: number) => {
    const from = { sessionId: "main", after: 0, lastEventId: null };
    const seen: number[] = [];
    for await (const { event } of ctx.runtime.followSession(from, NEVER)) {
      if (event.durability === "durable") seen.push(event.sequence as number);
      if (seen.length === count) break;
    }
    return seen;
  };
  const all = read(52);
  const some = [1, 5, 20, 40].map(read);
  await ctx.prompt("go");
  expect(await all).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
  for (const [index, seen] of (await Promise.all(some)).entries()) {
    expect(seen).toHaveLength([1, 5, 20, 40][index] ?? 0);
  }
});
