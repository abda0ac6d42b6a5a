import type { SessionEvent } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";
import type { Followed } from "./follow-session.ts";

const talker = () =>
  scriptedAgent(async (turn) => {
    for (let word = 0; word < 30; word += 1) {
      await turn.say(`w${word} `);
      if (word % 7 === 6) {
        await turn.update({ sessionUpdate: "tool_call", toolCallId: `t${word}`, title: "x" });
      }
      if (word % 5 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return "end_turn";
  });

/** Follows until `isLast` says so. */
async function collect(
  ctx: TestRuntime,
  from: { after?: number; lastEventId?: string },
  isLast: (item: Followed) => boolean,
): Promise<Followed[]> {
  const ends = new AbortController();
  const items: Followed[] = [];
  const start = { sessionId: "main", after: from.after, lastEventId: from.lastEventId ?? null };
  for await (const item of ctx.runtime.followSession(start, ends.signal)) {
    items.push(item);
    if (isLast(item)) ends.abort();
  }
  return items;
}

const isTurnEnd = ({ event }: Followed) => event.type === "_signalbox/turn_ended";

/** What a client has on its screen: durable events, and the text of the message after them. */
function fold(items: readonly { event: SessionEvent }[]) {
  const durable: SessionEvent[] = [];
  let open = "";
  for (const { event } of items) {
    if (event.durability === "ephemeral") {
      expect(event.afterSequence).toBe(durable.at(-1)?.sequence ?? event.afterSequence);
      open += (event.content as { text: string }).text;
      continue;
    }
    const text = (event.content as { text?: string } | undefined)?.text;
    if (open !== "") expect(text?.startsWith(open)).toBe(true);
    open = "";
    durable.push(event);
  }
  return durable;
}

test("a reader that hangs up at every position of a turn misses nothing and sees nothing twice", async () => {
  await using ctx = await testRuntime({ agent: talker() });
  await ctx.open();
  const watched = collect(ctx, { after: 0 }, isTurnEnd);
  await ctx.prompt("go");
  const whole = await watched;
  const history = await ctx.events();
  expect(fold(whole)).toEqual(history);
  for (let position = 0; position < whole.length - 1; position += 1) {
    const before = whole.slice(0, position + 1);
    const lastEventId = before.at(-1)?.cursor ?? "";
    const rest = await collect(ctx, { lastEventId }, isTurnEnd);
    expect(fold([...before, ...rest])).toEqual(history);
  }
});

test("readers that drop their connection at random during a turn see the same story", async () => {
  await using ctx = await testRuntime({ agent: talker() });
  await ctx.open();
  const flaky = async (every: number) => {
    const seen: Followed[] = [];
    let isOver = false;
    while (!isOver) {
      let taken = 0;
      const from = seen.length > 0 ? { lastEventId: seen.at(-1)?.cursor ?? "" } : { after: 0 };
      const part = await collect(ctx, from, (item) => {
        taken += 1;
        isOver = isTurnEnd(item);
        return isOver || taken >= every;
      });
      seen.push(...part);
    }
    return fold(seen);
  };
  const readers = [1, 2, 3, 5].map(flaky);
  await ctx.prompt("go");
  const history = await ctx.events();
  for (const story of await Promise.all(readers)) expect(story).toEqual(history);
});

test("a late reader gets the message in progress from its beginning", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("Hello, ");
    await turn.say("world");
    await turn.untilCancelled();
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.submit("go");
  const text = (items: Followed[]) =>
    items.map(({ event }) => (event.content as { text: string }).text).join("");
  let heard: Followed[] = [];
  await collect(ctx, { after: 0 }, (item) => {
    if (item.event.durability === "ephemeral") heard.push(item);
    return text(heard) === "Hello, world";
  });
  heard = [];
  await collect(ctx, {}, (item) => {
    heard.push(item);
    return true;
  });
  expect(text(heard)).toBe("Hello, world");
});

test("cursors that cannot be followed are refused with their reason", async () => {
  await using ctx = await testRuntime({ agent: talker() });
  await ctx.open();
  await ctx.open({ sessionId: "other" });
  await ctx.prompt("go");
  const [first] = await collect(ctx, { after: 0 }, () => true);
  const cursor = first?.cursor ?? "";
  expect(cursor.length).toBeLessThanOrEqual(256);
  const follow = (sessionId: string, after: number | undefined, lastEventId: string | null) =>
    ctx.runtime
      .followSession({ sessionId, after, lastEventId }, new AbortController().signal)
      .next();
  for (const [attempt, code] of [
    [follow("main", -1, null), "invalid_history_cursor"],
    [follow("main", 10_000, null), "history_cursor_ahead"],
    [follow("main", undefined, "nonsense"), "invalid_history_cursor"],
    [follow("other", undefined, cursor), "invalid_history_cursor"],
    [follow("nowhere", 0, null), "session_not_found"],
  ] as const) {
    await expect(attempt).rejects.toMatchObject({ code });
  }
  const next = follow("other", undefined, null);
  await ctx.runtime.deleteSession("other", OPERATOR);
  await expect(next).rejects.toMatchObject({ code: "session_not_found" });
  await ctx.runtime.deleteSession("main", OPERATOR);
  await ctx.open();
  await expect(follow("main", undefined, cursor)).rejects.toMatchObject({
    code: "history_cursor_expired",
  });
});

test("the fleet feed tells of sessions and permissions and goes on from its cursor", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "ok?" });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  const watch = async (lastEventId: string | null, until: string) => {
    const ends = new AbortController();
    const types: string[] = [];
    let cursor = lastEventId;
    for await (const item of ctx.runtime.followFleet({ lastEventId }, ends.signal)) {
      types.push(item.event.type);
      cursor = item.cursor;
      if (item.event.type === until) ends.abort();
    }
    return { types, cursor };
  };
  const first = watch(null, "session_created");
  await ctx.open({ permissionPolicy: "ask" });
  const { cursor } = await first;
  const { promptId } = await ctx.submit("go");
  const seen = await watch(cursor, "permission_requested");
  expect(seen.types).toContain("session_changed");
  const [request] = (await ctx.runtime.pendingPermissions({})).requests;
  const answer = { sessionId: "main", requestId: request?.requestId ?? "", optionId: "allow" };
  await ctx.runtime.respondToPermission(answer, OPERATOR);
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, new AbortController().signal);
  await ctx.runtime.deleteSession("main", OPERATOR);
  const rest = await watch(seen.cursor, "session_deleted");
  expect(rest.types).toContain("permission_resolved");
  await expect(watch("f1.999.1.1", "x")).rejects.toMatchObject({ code: "history_cursor_ahead" });
  await expect(watch("zzz", "x")).rejects.toMatchObject({ code: "invalid_history_cursor" });
});

test("a fleet watcher that was away across a restart is told how things are now", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "ok?" });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.open({ sessionId: "gone" });
  const first = new AbortController();
  let cursor = "";
  const watched = (async () => {
    for await (const item of ctx.runtime.followFleet({ lastEventId: null }, first.signal)) {
      cursor = item.cursor;
      if (item.event.type === "permission_requested") first.abort();
    }
  })();
  await ctx.submit("go");
  await watched;
  await ctx.runtime.deleteSession("gone", OPERATOR);
  await using after = await ctx.afterCrash();
  const ends = new AbortController();
  const seen: string[] = [];
  for await (const { event } of after.runtime.followFleet({ lastEventId: cursor }, ends.signal)) {
    seen.push(event.type);
    if (event.type === "session_changed") {
      expect(event.session).toMatchObject({ adapter: "unloaded", state: { status: "failed" } });
    }
    if (event.type === "permission_resolved") {
      expect(event.reason).toBe("server_restarted");
      ends.abort();
    }
  }
  expect(seen).toEqual(["session_deleted", "session_changed", "permission_resolved"]);
});
