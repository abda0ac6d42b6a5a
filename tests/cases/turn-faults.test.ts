/** Faults that hosts of agents had with cancels, boundaries of turns and the order of output. */
import { OPERATOR, scriptedAgent, testRuntime } from "@signalbox/acp-runtime/testing";
import { expect, test, vi } from "vitest";
import { cancel, ofType, resultOf, spoken } from "./stage.ts";

test("a turn whose agent ignores its cancel ends after the grace, and the next prompt runs", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "stay") await new Promise(() => undefined);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 20 } });
  await ctx.open();
  const { promptId } = await ctx.submit("stay");
  await agent.called("session/prompt");
  await cancel(ctx, promptId);
  expect((await resultOf(ctx, promptId)).stopReason).toBe("cancelled");
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  expect(agent.launches).toHaveLength(2);
});

test("late words of a turn that was cancelled do not join the next turn", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "first") {
      await turn.say("old ", "m1");
      await turn.update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "t" });
      await turn.untilCancelled();
      return "cancelled";
    }
    await turn.say("words", "m1");
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
    await turn.say("new", "m2");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const first = await ctx.submit("first");
  await expect.poll(async () => (await ofType(ctx, "tool_call")).length).toBe(1);
  await cancel(ctx, first.promptId);
  const second = await ctx.prompt("second");
  expect(second.message?.content).toEqual([{ type: "text", text: "new" }]);
  expect(await spoken(ctx)).toEqual([
    { text: "old ", promptId: first.promptId },
    { text: "words", promptId: null },
    { text: "new", promptId: second.promptId },
  ]);
  expect(await ofType(ctx, "tool_call_update")).toMatchObject([{ promptId: null }]);
});

test("the rest of an answered message is kept and is not of the next turn", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(turn.text === "one" ? "answer one" : "more of one", "m1");
    if (turn.text === "two") await turn.say("answer two", "m2");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const one = await ctx.prompt("one");
  const two = await ctx.prompt("two");
  expect(two.message).toMatchObject({ id: "m2", content: [{ text: "answer two" }] });
  expect((await spoken(ctx)).map(({ promptId }) => promptId)).toEqual([
    one.promptId,
    null,
    two.promptId,
  ]);
});

test("ids that another process of the agent counts from the start again are its own turns'", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(turn.text, "message-1");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.prompt("two")).message).toMatchObject({ id: "message-1" });
});

test("output behind the answer is kept in its order and belongs to no turn", async () => {
  const agent = scriptedAgent(async (turn) => {
    setImmediate(() => {
      void turn.update({ sessionUpdate: "tool_call", toolCallId: "late", title: "t" });
      void turn.say("late");
      void turn.update({ sessionUpdate: "plan", entries: [] });
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  await expect.poll(async () => (await ofType(ctx, "plan")).length).toBe(1);
  const late = (await ctx.events()).filter(({ promptId }) => promptId === null);
  expect(late.map(({ type }) => type)).toEqual(["tool_call", "agent_message_chunk", "plan"]);
  expect((await ctx.runtime.getSession("main")).state.status).toBe("idle");
});

test("what an agent says of its own accord while idle becomes history without a boundary", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const [agentSessionId] = agent.sessionIds;
  await agent.voice(String(agentSessionId)).say("the build ");
  await agent.voice(String(agentSessionId)).say("is done");
  await expect.poll(() => spoken(ctx)).toEqual([{ text: "the build is done", promptId: null }]);
  expect((await ctx.runtime.getSession("main")).state.status).toBe("idle");
});

test("a prompt that the agent says back is one user message", async () => {
  const agent = scriptedAgent(async (turn) => {
    const echo = (text: string) =>
      turn.update({ sessionUpdate: "user_message_chunk", content: { type: "text", text } });
    await echo("say it ");
    await echo("back");
    await turn.say("said");
    await echo("not yours");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("say it back");
  expect(await ofType(ctx, "user_message_chunk")).toMatchObject([
    { content: { text: "say it back" } },
    { content: { text: "not yours" } },
  ]);
});

test("an adapter that speaks for another session changes neither history", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text !== "stray") return "end_turn";
    const update = { sessionUpdate: "plan", entries: [] };
    await turn.notifyRaw("session/update", { sessionId: String(agent.sessionIds[0]), update });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ sessionId: "a" });
  await ctx.open({ sessionId: "b" });
  await ctx.prompt("stray", { sessionId: "b" });
  expect(await ofType(ctx, "plan", "a")).toEqual([]);
  expect(await ofType(ctx, "plan", "b")).toEqual([]);
  expect(ctx.bugs).toHaveLength(1);
});

test("a session that is opened again and again tells each event once", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("once");
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  for (let opened = 0; opened < 3; opened += 1) await ctx.open();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    const from = { sessionId: "main", after: 0, lastEventId: null };
    for await (const { event } of ctx.runtime.followSession(from, stop.signal)) {
      if (event.durability !== "durable") continue;
      seen.push(event.type);
      if (event.type === "_signalbox/turn_ended") break;
    }
  })();
  await ctx.prompt("go");
  await following;
  stop.abort();
  expect(seen).toEqual(["user_message_chunk", "agent_message_chunk", "_signalbox/turn_ended"]);
  expect(agent.launches).toHaveLength(1);
});

test("tool calls that an exit leaves open are named at the end of the turn, and none is invented", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (const toolCallId of ["a", "b", "c"]) {
      await turn.update({
        sessionUpdate: "tool_call",
        toolCallId,
        title: toolCallId,
        status: "in_progress",
      });
    }
    turn.crash();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await expect(resultOf(ctx, promptId)).rejects.toMatchObject({ code: "adapter_exited" });
  expect(await ofType(ctx, "tool_call")).toHaveLength(3);
  expect(await ofType(ctx, "tool_call_update")).toEqual([]);
  expect(await ofType(ctx, "_signalbox/turn_ended")).toMatchObject([
    { openToolCalls: ["a", "b", "c"] },
  ]);
});

test("a turn may take hours of silence", async () => {
  let goOn = (): void => {};
  const agent = scriptedAgent(async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "Date"] });
  try {
    const { promptId } = await ctx.submit("go");
    await agent.called("session/prompt");
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    goOn();
    expect((await resultOf(ctx, promptId)).stopReason).toBe("end_turn");
    expect(agent.launches).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test("a prompt at the very end of a turn is either refused or runs, and never lost", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(turn.text);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  for (let round = 0; round < 30; round += 1) {
    const first = await ctx.submit(`first ${round}`);
    const ended = resultOf(ctx, first.promptId);
    const tries = await Promise.allSettled([ctx.submit("a"), ended.then(() => ctx.submit("b"))]);
    for (const attempt of tries) {
      if (attempt.status === "fulfilled") await resultOf(ctx, attempt.value.promptId);
      else expect(attempt.reason).toMatchObject({ code: "session_busy" });
    }
  }
  const accepted = await ofType(ctx, "user_message_chunk");
  expect(await ofType(ctx, "_signalbox/turn_ended")).toHaveLength(accepted.length);
});
