/** Faults that hosts of agents had with permission requests, and what is right instead. */
import { OPERATOR, scriptedAgent, testRuntime } from "@signalbox/acp-runtime/testing";
import { expect, test, vi } from "vitest";
import { answer, cancel, NEVER, ofType, pending, resultOf, spoken } from "./stage.ts";

const asking = (options: { optionId: string; name: string; kind: string }[]) =>
  scriptedAgent(async (turn) => {
    await turn.say(`chose ${(await turn.askPermission({ title: "t", options })) ?? "nothing"}`);
    return "end_turn";
  });

const option = (optionId: string, kind: string, name = optionId) => ({ optionId, kind, name });

test("a cancel answers every open request of the turn, and each ends as prompt_cancelled", async () => {
  const agent = scriptedAgent(async (turn) => {
    const both = ["one", "two"].map((title) => turn.askPermission({ title, toolCallId: title }));
    const chosen = await Promise.all(both);
    await turn.say(chosen.map((id) => id ?? "nothing").join(" "));
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  await pending(ctx, 2);
  await cancel(ctx, promptId);
  expect((await resultOf(ctx, promptId)).stopReason).toBe("cancelled");
  const responses = await ofType(ctx, "permission_response");
  expect(responses).toHaveLength(2);
  for (const response of responses) {
    expect(response).toMatchObject({
      status: "not_pending",
      reason: "prompt_cancelled",
      outcome: { outcome: "cancelled" },
      promptId,
    });
  }
  expect(await spoken(ctx)).toEqual([{ text: "nothing nothing", promptId }]);
});

test("an agent that ends a cancelled turn only after its request was answered is freed", async () => {
  const agent = scriptedAgent(async (turn) => {
    if (turn.text === "go") await turn.askPermission({ title: "t" });
    return turn.cancelled.aborted ? "cancelled" : "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { cancelGraceMs: 60_000 } });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  await pending(ctx);
  await cancel(ctx, promptId);
  expect((await ctx.prompt("again")).stopReason).toBe("end_turn");
  expect(agent.launches).toHaveLength(1);
});

test.each(["first", "second", "third", "fourth"])(
  "of four options of one kind the one chosen reaches the agent: %s",
  async (chosen) => {
    const options = ["first", "second", "third", "fourth"].map((id) => option(id, "allow_once"));
    await using ctx = await testRuntime({ agent: asking(options) });
    await ctx.open({ permissionPolicy: "ask" });
    const { promptId } = await ctx.submit("go");
    const [request] = await pending(ctx);
    if (!request) throw new Error("nothing is pending");
    expect(request.options).toEqual(options);
    await answer(ctx, request, chosen);
    await resultOf(ctx, promptId);
    expect(await spoken(ctx)).toEqual([{ text: `chose ${chosen}`, promptId }]);
  },
);

test.each([
  [
    "allow_all",
    [option("approve_once", "allow_once"), option("allow", "reject_once")],
    "approve_once",
  ],
  ["reject_all", [option("reject", "allow_once"), option("stop", "reject_always")], "stop"],
  ["allow_all", [option("a", "allow_once"), option("b", "allow_once")], "a"],
] as const)(
  "policy %s goes by kind, never by name, and takes the first of its kind",
  async (permissionPolicy, options, chosen) => {
    await using ctx = await testRuntime({ agent: asking([...options]) });
    await ctx.open({ permissionPolicy });
    const { promptId } = await ctx.prompt("go");
    expect(await spoken(ctx)).toEqual([{ text: `chose ${chosen}`, promptId }]);
  },
);

test.each([
  ["allow_all", [option("no", "reject_once")]],
  ["reject_all", [option("yes", "allow_once")]],
  ["allow_all", []],
  ["allow_all", [option("p", "allow_persistent")]],
] as const)(
  "policy %s invents nothing when no option fits, and says so",
  async (permissionPolicy, options) => {
    await using ctx = await testRuntime({ agent: asking([...options]) });
    await ctx.open({ permissionPolicy });
    const { promptId } = await ctx.prompt("go");
    expect(await spoken(ctx)).toEqual([{ text: "chose nothing", promptId }]);
    const [unsatisfied] = await ofType(ctx, "_signalbox/permission_unsatisfied");
    expect(unsatisfied).toMatchObject({
      policy: permissionPolicy,
      error: {
        code: "permission_policy_unsatisfied",
        details: { offeredKinds: options.map(({ kind }) => kind) },
        retryable: false,
      },
    });
  },
);

test("a request waits for days, and only the person's answer reaches the agent", async () => {
  const agent = asking([option("yes", "allow_once"), option("no", "reject_once")]);
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "Date"] });
  try {
    const { promptId } = await ctx.submit("go");
    await agent.called("session/prompt");
    await vi.waitFor(async () =>
      expect((await ctx.runtime.pendingPermissions({})).requests).toHaveLength(1),
    );
    await vi.advanceTimersByTimeAsync(3 * 24 * 3_600_000);
    const [request] = (await ctx.runtime.pendingPermissions({})).requests;
    if (!request) throw new Error("the request did not wait");
    expect(agent.running).toBe(1);
    await answer(ctx, request, "no");
    await resultOf(ctx, promptId);
    expect(await spoken(ctx)).toEqual([{ text: "chose no", promptId }]);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["an error", "turn_ended"],
  ["an exit", "adapter_exited"],
])("a turn that ends by %s leaves no request pending", async (how, reason) => {
  const agent = scriptedAgent(async (turn) => {
    void turn.askPermission({ title: "t" }).catch(() => undefined);
    await pending(ctx);
    if (how === "an exit") turn.crash();
    throw new Error("out of luck");
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  await expect(resultOf(ctx, promptId)).rejects.toMatchObject({ retryable: expect.any(Boolean) });
  expect((await ctx.runtime.getSession("main")).pendingPermissions).toBe(0);
  expect(await ofType(ctx, "permission_response")).toMatchObject([{ reason }]);
});

test("a request and updates under an id that is unknown are the session's own", async () => {
  const agent = scriptedAgent(async (turn) => {
    const update = { sessionUpdate: "plan", entries: [] };
    await turn.notifyRaw("session/update", { sessionId: "a-session-below", update });
    const toolCall = { toolCallId: "c", title: "below" };
    const options = [option("yes", "allow_once")];
    await turn.requestRaw("session/request_permission", {
      sessionId: "a-session-below",
      toolCall,
      options,
    });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  await answer(ctx, request, "yes");
  expect((await resultOf(ctx, promptId)).stopReason).toBe("end_turn");
  expect(await ofType(ctx, "plan")).toMatchObject([{ promptId }]);
});

test("a request for a tool call that was never announced is kept whole and its call ends", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "rm -rf build", toolCallId: "x" });
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "x", status: "completed" });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  expect(request.toolCall).toEqual({ toolCallId: "x", title: "rm -rf build" });
  await answer(ctx, request, "allow");
  await resultOf(ctx, promptId);
  expect(await ofType(ctx, "tool_call")).toEqual([]);
  expect(await ofType(ctx, "_signalbox/turn_ended")).toMatchObject([{ openToolCalls: [] }]);
});

test("what a policy decided is never laid at a person's door", async () => {
  await using ctx = await testRuntime({ agent: asking([option("no", "reject_once")]) });
  await ctx.open({ permissionPolicy: "reject_all" });
  await ctx.prompt("go");
  const rows = await ctx.deps.db.prisma.audit.findMany({ where: { sessionId: "main" } });
  const decided = rows.filter(({ details }) => details.includes('"optionId":"no"'));
  expect(decided).toHaveLength(1);
  expect(decided[0]).toMatchObject({ actorKind: "policy", actorName: "reject_all" });
});

test("two clicks are one answer on the wire, and the second is told so", async () => {
  const answers: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    answers.push(await turn.askPermission({ title: "t" }));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  const clicks = await Promise.all([
    answer(ctx, request, "allow"),
    answer(ctx, request, "allow"),
    answer(ctx, request, "reject"),
  ]);
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(clicks.filter(({ status }) => status === "accepted")).toHaveLength(1);
  for (const late of clicks.filter(({ status }) => status === "not_pending")) {
    expect(late).toEqual({
      status: "not_pending",
      reason: "already_resolved",
      resolvedBy: OPERATOR.actor,
    });
  }
  expect(answers).toHaveLength(1);
  expect(await ofType(ctx, "permission_response")).toHaveLength(1);
});
