/** The finer rules of permission requests: outside turns, over the limit, in what order. */
import type { PendingPermission } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const RESUMABLE = { capabilities: { sessionCapabilities: { resume: {} } } };

async function pending(ctx: TestRuntime, count = 1): Promise<PendingPermission[]> {
  const read = async () => (await ctx.runtime.pendingPermissions({})).requests;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  return read();
}

const accept = (ctx: TestRuntime, request: PendingPermission, optionId = "allow") =>
  ctx.runtime.respondToPermission(
    { sessionId: request.sessionId, requestId: request.requestId, optionId },
    OPERATOR,
  );

const askOutside = (agent: ReturnType<typeof scriptedAgent>) =>
  agent.voice(String(agent.sessionIds[0])).askPermission({ title: "outside" });

test("a request outside a turn has no prompt, and a new prompt runs beside it", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const chosen = askOutside(agent);
  const [request] = await pending(ctx);
  expect(request?.promptId).toBeNull();
  expect((await ctx.runtime.getSession("main")).state).toMatchObject({
    status: "waiting",
    promptId: null,
  });
  expect((await ctx.prompt("beside it")).stopReason).toBe("end_turn");
  expect(await pending(ctx)).toEqual([request]);
  if (!request) throw new Error("nothing is pending");
  expect(await accept(ctx, request)).toEqual({ status: "accepted" });
  expect(await chosen).toBe("allow");
});

test("an answer is committed before the agent hears it", async () => {
  const seen: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "t" });
    seen.push(
      ...(await ctx.types()).slice(-1),
      (await ctx.runtime.pendingPermissions({})).requests,
    );
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  await accept(ctx, request);
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(seen).toEqual(["permission_response", []]);
});

test("a request over the limit is answered as cancelled and says which limit to raise", async () => {
  const agent = scriptedAgent(async (turn) => {
    const asks = ["a", "b", "c"].map((id) => turn.askPermission({ title: id, toolCallId: id }));
    await turn.say(String((await Promise.all(asks)).map((id) => id ?? "nothing")));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { maxPendingPermissionsPerSession: 2 } });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  for (const request of await pending(ctx, 2)) await accept(ctx, request);
  const { message } = await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(message?.content).toEqual([{ type: "text", text: "allow,allow,nothing" }]);
  const events = await ctx.events();
  expect(events.find(({ type }) => type === "_signalbox/permission_unsatisfied")).toMatchObject({
    toolCallId: "c",
    policy: "ask",
    error: {
      code: "limit_exceeded",
      details: { limit: "limits.acp.maxPendingPermissionsPerSession", max: 2, actual: 3 },
    },
  });
});

test("options that share an id are shown as they came, and the id is answered", async () => {
  const options = ["Yes", "Yes, for ever"].map((name, index) => ({
    optionId: "same",
    name,
    kind: index === 0 ? "allow_once" : "allow_always",
  }));
  const agent = scriptedAgent(async (turn) => {
    await turn.say(String(await turn.askPermission({ title: "t", options })));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  expect(request.options).toEqual(options);
  await accept(ctx, request, "same");
  const { message } = await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(message?.content).toEqual([{ type: "text", text: "same" }]);
});

test("a request with no option waits for its cancel, and no answer fits it", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "t", options: [] });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const { promptId } = await ctx.submit("go");
  const [request] = await pending(ctx);
  if (!request) throw new Error("nothing is pending");
  await expect(accept(ctx, request)).rejects.toMatchObject({ code: "invalid_permission_option" });
  const cancel = { sessionId: "main", promptId, wait: true };
  expect(await ctx.runtime.cancelPrompt(cancel, OPERATOR, NEVER)).toEqual({ status: "cancelled" });
});

test("a request that the agent takes back is over, with one response in history", async () => {
  const agent = scriptedAgent(async (turn) => {
    const ask = turn.askPermission({ title: "t" }).catch(() => undefined);
    await pending(ctx);
    await turn.notifyRaw("$/cancel_request", { requestId: "agent-1" });
    await ask;
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  const responses = (await ctx.events()).filter(({ type }) => type === "permission_response");
  expect(responses).toMatchObject([{ outcome: { outcome: "cancelled" }, status: "not_pending" }]);
});

test("an agent that ends its turn with the request open gives a late answer turn_ended", async () => {
  const agent = scriptedAgent(async (turn) => {
    void turn.askPermission({ title: "t" }).catch(() => undefined);
    await pending(ctx);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  const submitted = await ctx.submit("go");
  const [request] = await pending(ctx);
  await ctx.runtime.promptResult({ sessionId: "main", promptId: submitted.promptId }, NEVER);
  if (!request) throw new Error("nothing is pending");
  expect(await accept(ctx, request)).toMatchObject({ status: "not_pending", reason: "turn_ended" });
  const types = (await ctx.types()).slice(-2);
  expect(types).toEqual(["permission_response", "_signalbox/turn_ended"]);
});

test("an ordered stop ends open requests as server_stopped", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "t" });
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.submit("go");
  const [request] = await pending(ctx);
  await ctx.runtime.close({ graceMs: 0 });
  if (!request) throw new Error("nothing is pending");
  expect(await accept(ctx, request)).toMatchObject({ reason: "server_stopped" });
});

test("a session that waits is not unloaded for being idle, nor to make room", async () => {
  const agent = scriptedAgent(async () => "end_turn", RESUMABLE);
  await using ctx = await testRuntime({ agent, limits: { idleUnloadMs: 5, maxLiveAdapters: 1 } });
  await ctx.open({ permissionPolicy: "ask" });
  const chosen = askOutside(agent);
  const [request] = await pending(ctx);
  await expect(ctx.open({ sessionId: "other" })).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxLiveAdapters", max: 1, actual: 2 },
  });
  expect((await ctx.runtime.getSession("main")).adapter).toBe("live");
  if (!request) throw new Error("nothing is pending");
  await accept(ctx, request);
  expect(await chosen).toBe("allow");
  await ctx.open({ sessionId: "other" });
});

test("all open requests are listed oldest first, page by page, over all sessions", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: turn.text });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  const ids = ["c", "a", "b", "e", "d"];
  for (const [index, sessionId] of ids.entries()) {
    await ctx.open({ sessionId, permissionPolicy: "ask" });
    await ctx.submit(sessionId, { sessionId });
    await pending(ctx, index + 1);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await ctx.runtime.pendingPermissions({ cursor, limit: 2 });
    seen.push(...page.requests.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(ids);
});

test("a deleted session's request is remembered for a late answer, and nothing else of it is", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.askPermission({ title: "t" });
    return "cancelled";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open({ permissionPolicy: "ask" });
  await ctx.submit("go");
  const [request] = await pending(ctx);
  await ctx.runtime.deleteSession("main", OPERATOR);
  if (!request) throw new Error("nothing is pending");
  expect(await accept(ctx, request)).toMatchObject({ reason: "session_deleted" });
  expect(await ctx.deps.db.prisma.permission.count()).toBe(0);
  expect(await ctx.deps.db.prisma.event.count()).toBe(0);
});
