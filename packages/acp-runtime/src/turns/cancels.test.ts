/** Who is first: a cancel, the agent's answer, a person's answer, an exit, an unload, a delete. */
import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const RESUMABLE = { capabilities: { sessionCapabilities: { resume: {} } } };

const resultOf = (ctx: TestRuntime, promptId: string) =>
  ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);

const cancel = (ctx: TestRuntime, promptId: string | undefined, wait = true) =>
  ctx.runtime.cancelPrompt(
    { sessionId: "main", promptId, wait },
    OPERATOR,
    new AbortController().signal,
  );

/** Each turn has one end, its last event, and says the same as its row. */
async function assertOneEnd(ctx: TestRuntime, promptId: string): Promise<string> {
  const events = (await ctx.events()).filter((event) => event.promptId === promptId);
  const ends = events.filter((event) => event.type === "_signalbox/turn_ended");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toEqual(ends[0]);
  const [row] = await ctx.deps.db.prisma.prompt.findMany({ where: { promptId } });
  expect(row?.stopReason).toBe(ends[0]?.stopReason ?? null);
  return row?.state ?? "";
}

const patient = () =>
  scriptedAgent(async (turn) => {
    await turn.say("begun");
    await turn.untilCancelled();
    return "end_turn";
  }, RESUMABLE);

test("a cancel that comes as the agent answers is decided once: both tell the same", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (let hop = 0; hop < Number(turn.text); hop += 1) await Promise.resolve();
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const seen = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const { promptId } = await ctx.submit(String(round * 3));
    for (let hop = 0; hop < round; hop += 1) await new Promise(setImmediate);
    const { status } = await cancel(ctx, promptId);
    const { stopReason } = await resultOf(ctx, promptId);
    expect(stopReason).toBe(status === "cancelled" ? "cancelled" : "end_turn");
    expect(await assertOneEnd(ctx, promptId)).toBe(
      status === "cancelled" ? "cancelled" : "completed",
    );
    seen.add(status);
  }
  expect(seen.has("cancelled")).toBe(true);
});

test("of many cancels each is told the same, and the agent is asked once", async () => {
  const agent = patient();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(ctx, promptId)));
  expect(answers).toEqual(answers.map(() => ({ status: "cancelled" })));
  expect(agent.callsOf("session/cancel")).toHaveLength(1);
  expect(await assertOneEnd(ctx, promptId)).toBe("cancelled");
});

test("a cancel with wait answers when the end is committed, one without it before", async () => {
  let finish = (): void => {};
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  expect(await cancel(ctx, promptId, false)).toEqual({ status: "cancelled" });
  expect(await ctx.types()).not.toContain("_signalbox/turn_ended");
  const waiting = cancel(ctx, promptId, true);
  await expect.poll(() => ctx.deps.turnEnds.waiterCount).toBe(1);
  finish();
  expect(await waiting).toEqual({ status: "cancelled" });
  expect(await ctx.types()).toContain("_signalbox/turn_ended");
});

test("a cancel of what has ended, of nothing, and of what never was are three answers", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "end_turn") });
  await ctx.open();
  expect(await cancel(ctx, undefined)).toEqual({ status: "no_active_prompt" });
  const { promptId } = await ctx.prompt("go");
  expect(await cancel(ctx, promptId)).toEqual({ status: "no_active_prompt" });
  await expect(cancel(ctx, "nobody")).rejects.toMatchObject({ code: "prompt_not_found" });
  const target = { sessionId: "nobody", promptId: undefined, wait: false };
  await expect(ctx.runtime.cancelPrompt(target, OPERATOR, NEVER)).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("an agent that exits on a cancel leaves a cancelled turn and its exit in history", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    turn.crash({ code: 130 });
    return "cancelled";
  }, RESUMABLE);
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await agent.called("session/prompt");
  expect(await cancel(ctx, promptId)).toEqual({ status: "cancelled" });
  expect((await resultOf(ctx, promptId)).stopReason).toBe("cancelled");
  expect(await assertOneEnd(ctx, promptId)).toBe("cancelled");
  expect((await ctx.runtime.getSession("main")).state).toEqual({ status: "idle" });
});

test.each(["unloadSession", "deleteSession", "close"] as const)(
  "a turn that %s ends is cancelled, also when the agent dies of it",
  async (way) => {
    for (const dies of [false, true]) {
      const agent = scriptedAgent(async (turn) => {
        await turn.say("half");
        await turn.untilCancelled();
        if (dies) turn.crash();
        return "end_turn";
      }, RESUMABLE);
      await using ctx = await testRuntime({ agent });
      await ctx.open();
      const { promptId } = await ctx.submit("go");
      await agent.called("session/prompt");
      const result = resultOf(ctx, promptId);
      result.catch(() => undefined);
      if (way === "close") await ctx.runtime.close({ graceMs: 0 });
      else await ctx.runtime[way]("main", OPERATOR);
      if (way === "deleteSession") {
        await expect(ctx.events()).rejects.toMatchObject({ code: "session_not_found" });
      } else {
        expect(await result).toMatchObject({
          stopReason: "cancelled",
          message: { content: [{ text: "half" }] },
        });
        expect(await assertOneEnd(ctx, promptId)).toBe("cancelled");
        const said = (await ctx.events()).find(({ type }) => type === "agent_message_chunk");
        expect(said?._meta).toEqual({ "signalbox/partial": true });
      }
      expect(agent.running).toBe(0);
    }
  },
);

test("a prompt, an unload and a delete that come at once leave nothing behind, in any order", async () => {
  for (const order of [
    ["prompt", "unload", "delete"],
    ["unload", "prompt", "delete"],
    ["delete", "prompt", "unload"],
    ["prompt", "delete", "unload"],
  ]) {
    const agent = patient();
    await using ctx = await testRuntime({ agent });
    await ctx.open();
    const act: Record<string, () => Promise<unknown>> = {
      prompt: () => ctx.prompt("go"),
      unload: () => ctx.runtime.unloadSession("main", OPERATOR),
      delete: () => ctx.runtime.deleteSession("main", OPERATOR),
    };
    const done = await Promise.allSettled(order.map((name) => act[name]?.()));
    for (const outcome of done) {
      if (outcome.status === "rejected") {
        expect(outcome.reason, order.join()).toMatchObject({ code: "session_not_found" });
      }
    }
    await expect(ctx.runtime.getSession("main")).rejects.toMatchObject({
      code: "session_not_found",
    });
    expect(await ctx.deps.db.prisma.prompt.count()).toBe(0);
    await expect.poll(() => agent.running).toBe(0);
    expect(ctx.bugs).toEqual([]);
  }
});

test("of answers, a cancel and an exit that come at once one ends the request", async () => {
  const agent: ScriptedAgent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "may I" }).catch(() => undefined);
    return "end_turn";
  }, RESUMABLE);
  for (let round = 0; round < 8; round += 1) {
    await using ctx = await testRuntime({ agent });
    await ctx.open({ permissionPolicy: "ask" });
    const { promptId } = await ctx.submit("go");
    const pending = async () => (await ctx.runtime.pendingPermissions({})).requests;
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [request] = await pending();
    const requestId = request?.requestId ?? "";
    const respond = () =>
      ctx.runtime.respondToPermission(
        { sessionId: "main", requestId, optionId: "allow" },
        OPERATOR,
      );
    const acts = [
      respond,
      () => cancel(ctx, promptId),
      async () => agent.voice(agent.sessionIds.at(-1) ?? "").crash(),
      respond,
    ];
    const turned = [...acts.slice(round % 4), ...acts.slice(0, round % 4)];
    await Promise.allSettled(turned.map((act) => act()));
    await resultOf(ctx, promptId).catch(() => undefined);
    await assertOneEnd(ctx, promptId);
    const responses = (await ctx.events()).filter(({ type }) => type === "permission_response");
    expect(responses).toHaveLength(1);
    expect(await respond()).toMatchObject({ status: "not_pending" });
  }
});

test("of an answer, a cancel and a delete that come at once one ends the request, and the session is gone", async () => {
  for (let round = 0; round < 6; round += 1) {
    const agent = scriptedAgent(async (turn) => {
      await turn.askPermission({ title: "may I" }).catch(() => undefined);
      return "end_turn";
    });
    await using ctx = await testRuntime({ agent });
    await ctx.open({ permissionPolicy: "ask" });
    const { promptId } = await ctx.submit("go");
    const pending = async () => (await ctx.runtime.pendingPermissions({})).requests;
    await expect.poll(async () => (await pending()).length).toBe(1);
    const [request] = await pending();
    const answer = { sessionId: "main", requestId: request?.requestId ?? "", optionId: "allow" };
    const acts = [
      () => ctx.runtime.respondToPermission(answer, OPERATOR),
      () => ctx.runtime.deleteSession("main", OPERATOR),
      () => cancel(ctx, promptId),
    ];
    const turned = [...acts.slice(round % 3), ...acts.slice(0, round % 3)];
    for (const outcome of await Promise.allSettled(turned.map((act) => act()))) {
      if (outcome.status === "rejected") {
        expect(outcome.reason).toMatchObject({ code: "session_not_found" });
      }
    }
    expect(await ctx.runtime.respondToPermission(answer, OPERATOR)).toMatchObject({
      status: "not_pending",
    });
    expect(await pending()).toEqual([]);
    await expect(ctx.runtime.getSession("main")).rejects.toMatchObject({
      code: "session_not_found",
    });
    expect(agent.running).toBe(0);
    expect(ctx.bugs).toEqual([]);
  }
});
