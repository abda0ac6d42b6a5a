import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const ODD_OPTIONS = [
  { optionId: "x", name: "Do it", kind: "ask_my_boss" },
  { optionId: "y", name: "Do it", kind: "allow_always" },
  { optionId: "n", name: "No", kind: "reject_once" },
];

function askingAgent(options?: typeof ODD_OPTIONS): ScriptedAgent {
  return scriptedAgent(async (turn) => {
    await turn.say("May I? ");
    const chosen = await turn.askPermission({
      title: "rm -rf build",
      ...(options ? { options } : {}),
    });
    await turn.say(`chose ${chosen ?? "nothing"}`);
    return "end_turn";
  });
}

async function pending(ctx: TestRuntime) {
  await expect
    .poll(async () => (await ctx.runtime.pendingPermissions({})).requests.length)
    .toBeGreaterThan(0);
  const [request] = (await ctx.runtime.pendingPermissions({})).requests;
  if (!request) throw new Error("nothing is pending");
  return request;
}

async function lastWords(ctx: TestRuntime): Promise<unknown> {
  const said = (await ctx.events()).filter((event) => event.type === "agent_message_chunk");
  return said.at(-1)?.content;
}

test("an operator sees the exact options and the agent gets the exact choice", async () => {
  await using ctx = await testRuntime({ agent: askingAgent(ODD_OPTIONS) });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const request = await pending(ctx);
  expect(request.options).toEqual(ODD_OPTIONS);
  expect(request.promptId).toBe(promptId);
  const { state, pendingPermissions } = await ctx.runtime.getSession("main");
  expect(state).toMatchObject({ status: "waiting", promptId });
  expect(pendingPermissions).toBe(1);
  const answer = { sessionId: "main", requestId: request.requestId, optionId: "x" };
  await expect(
    ctx.runtime.respondToPermission({ ...answer, optionId: "allow" }, OPERATOR),
  ).rejects.toMatchObject({ code: "invalid_permission_option" });
  await expect(
    ctx.runtime.respondToPermission({ ...answer, digest: "0" }, OPERATOR),
  ).rejects.toMatchObject({ code: "permission_changed" });
  const withDigest = { ...answer, digest: request.digest };
  expect(await ctx.runtime.respondToPermission(withDigest, OPERATOR)).toEqual({
    status: "accepted",
  });
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(await lastWords(ctx)).toEqual({ type: "text", text: "chose x" });
  const response = (await ctx.events()).find((event) => event.type === "permission_response");
  expect(response).toMatchObject({
    requestId: request.requestId,
    outcome: { outcome: "selected", optionId: "x" },
    status: "accepted",
    resolvedBy: { kind: "token", name: "test" },
  });
});

test("of two answers at once exactly one is accepted", async () => {
  await using ctx = await testRuntime({ agent: askingAgent() });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const { requestId } = await pending(ctx);
  const answers = await Promise.all(
    ["allow", "reject"].map((optionId) =>
      ctx.runtime.respondToPermission({ sessionId: "main", requestId, optionId }, OPERATOR),
    ),
  );
  expect(answers.filter((answer) => answer.status === "accepted")).toHaveLength(1);
  expect(answers.find((answer) => answer.status === "not_pending")).toMatchObject({
    reason: "already_resolved",
    resolvedBy: { name: "test" },
  });
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
});

test("policies answer by kind only and leave no event in history", async () => {
  for (const [policy, chosen] of [
    ["allow_all", "y"],
    ["reject_all", "n"],
  ] as const) {
    await using ctx = await testRuntime({ agent: askingAgent(ODD_OPTIONS) });
    await ctx.open({ permissionPolicy: policy });
    await ctx.prompt("go");
    expect(await lastWords(ctx)).toEqual({ type: "text", text: `chose ${chosen}` });
    expect((await ctx.types()).filter((type) => type.startsWith("permission"))).toEqual([]);
  }
});

test("a policy that fits no option cancels the request and says so", async () => {
  const options = [{ optionId: "x", name: "Hm", kind: "ask_my_boss" }];
  await using ctx = await testRuntime({ agent: askingAgent(options) });
  await ctx.open();
  await ctx.prompt("go");
  expect(await lastWords(ctx)).toEqual({ type: "text", text: "chose nothing" });
  const event = (await ctx.events()).find(
    (candidate) => candidate.type === "_signalbox/permission_unsatisfied",
  );
  expect(event).toMatchObject({
    policy: "allow_all",
    error: { code: "permission_policy_unsatisfied", details: { offeredKinds: ["ask_my_boss"] } },
  });
});

test("a cancel ends open requests first, and a late answer is told why", async () => {
  await using ctx = await testRuntime({ agent: askingAgent() });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const { requestId } = await pending(ctx);
  const cancel = { sessionId: "main", promptId, wait: true };
  expect(await ctx.runtime.cancelPrompt(cancel, OPERATOR, NEVER)).toEqual({ status: "cancelled" });
  const answer = { sessionId: "main", requestId, optionId: "allow" };
  expect(await ctx.runtime.respondToPermission(answer, OPERATOR)).toMatchObject({
    status: "not_pending",
    reason: "prompt_cancelled",
  });
  const response = (await ctx.events()).find((event) => event.type === "permission_response");
  expect(response).toMatchObject({ outcome: { outcome: "cancelled" }, reason: "prompt_cancelled" });
});

test("each way a session ends gives a late answer its own reason", async () => {
  const ways: [string, (ctx: TestRuntime, agent: ScriptedAgent) => Promise<void>][] = [
    ["session_unloaded", (ctx) => ctx.runtime.unloadSession("main", OPERATOR)],
    ["session_deleted", (ctx) => ctx.runtime.deleteSession("main", OPERATOR)],
    [
      "adapter_exited",
      async (ctx, agent) => {
        agent.voice(agent.sessionIds[0] ?? "").crash({ code: 9 });
        await expect
          .poll(async () => (await ctx.runtime.getSession("main")).state.status)
          .toBe("failed");
      },
    ],
  ];
  for (const [reason, end] of ways) {
    const agent = askingAgent();
    await using ctx = await testRuntime({ agent });
    await ctx.open({ permissionPolicy: "ask" });
    await ctx.submit("go");
    const { requestId } = await pending(ctx);
    await end(ctx, agent);
    const answer = { sessionId: "main", requestId, optionId: "allow" };
    expect(await ctx.runtime.respondToPermission(answer, OPERATOR)).toMatchObject({
      status: "not_pending",
      reason,
    });
  }
});

test("a request nobody made is not found, not an error", async () => {
  await using ctx = await testRuntime({ agent: askingAgent() });
  await ctx.open();
  const answer = { sessionId: "main", requestId: "nope", optionId: "allow" };
  expect(await ctx.runtime.respondToPermission(answer, OPERATOR)).toEqual({
    status: "not_pending",
    reason: "request_not_found",
  });
});

test("after a kill open requests are ended as server_restarted", async () => {
  const agent = askingAgent();
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.submit("go");
  const { requestId } = await pending(ctx);
  await using after = await ctx.afterCrash();
  const answer = { sessionId: "main", requestId, optionId: "allow" };
  expect(await after.runtime.respondToPermission(answer, OPERATOR)).toMatchObject({
    status: "not_pending",
    reason: "server_restarted",
  });
  expect((await after.types()).slice(-2)).toEqual(["permission_response", "_signalbox/turn_ended"]);
});
