import { expect, test } from "vitest";
import { ServerProcess } from "../support/server-process.ts";
import {
  historyOf,
  isType,
  openSession,
  spokenIn,
  submit,
  untilEvent,
} from "../support/session.ts";

async function asked(policy: "ask" | "allow_all" | "reject_all", text: string) {
  const server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main", { permissionPolicy: policy });
  const promptId = await submit(client, "main", text);
  return { server, client, promptId, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("of many answers at once to one permission exactly one is accepted", async () => {
  await using ctx = await asked("ask", "/permission");
  const { client, promptId, server } = ctx;
  const request = await untilEvent(client, "main", isType("permission_request"));
  const requestId = String(request.requestId);
  const others = await Promise.all([server.connect(), server.connect(), server.connect()]);
  const answers = await Promise.all(
    [client, ...others].flatMap(({ api }) =>
      ["allow", "reject"].map(async (optionId) => ({
        optionId,
        ...(await api.permissions.respond.mutate({ sessionId: "main", requestId, optionId })),
      })),
    ),
  );
  const accepted = answers.filter(({ status }) => status === "accepted");
  expect(accepted).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === "accepted") continue;
    expect(answer).toMatchObject({
      reason: "already_resolved",
      resolvedBy: { kind: "token" },
    });
  }
  await client.api.sessions.awaitPrompt.mutate({ promptId });
  const events = await historyOf(client, "main");
  const responses = events.filter(isType("permission_response"));
  expect(responses).toHaveLength(1);
  expect(responses[0]).toMatchObject({
    outcome: { outcome: "selected", optionId: accepted[0]?.optionId },
  });
  expect(spokenIn(events, promptId)).toContain(`\`${accepted[0]?.optionId}\``);
});

test("an answer that was not offered, or to another question, leaves the request open", async () => {
  await using ctx = await asked("ask", "/permission");
  const { api } = ctx.client;
  const request = await untilEvent(ctx.client, "main", isType("permission_request"));
  const answer = { sessionId: "main", requestId: String(request.requestId), optionId: "allow" };
  await expect(
    api.permissions.respond.mutate({ ...answer, optionId: "whatever" }),
  ).rejects.toMatchObject({ code: "invalid_permission_option" });
  await expect(
    api.permissions.respond.mutate({ ...answer, digest: "0".repeat(64) }),
  ).rejects.toMatchObject({ code: "permission_changed" });
  expect(await api.permissions.respond.mutate({ ...answer, requestId: "nobody" })).toMatchObject({
    status: "not_pending",
    reason: "request_not_found",
  });
  expect(
    await api.permissions.respond.mutate({ ...answer, digest: String(request.digest) }),
  ).toEqual({ status: "accepted" });
});

test("a cancelled turn takes its permissions with it, once", async () => {
  await using ctx = await asked("ask", "/permissions 2");
  const { client, promptId } = ctx;
  await expect
    .poll(async () => (await client.api.permissions.pending.query({})).requests)
    .toHaveLength(2);
  const { requests } = await client.api.permissions.pending.query({});
  expect(await client.api.sessions.cancelPrompt.mutate({ wait: true })).toEqual({
    status: "cancelled",
  });
  const responses = (await historyOf(client, "main")).filter(isType("permission_response"));
  expect(responses).toHaveLength(2);
  for (const { requestId } of requests) {
    expect(responses.find((response) => response.requestId === requestId)).toMatchObject({
      promptId,
      status: "not_pending",
      reason: "prompt_cancelled",
    });
    expect(
      await client.api.permissions.respond.mutate({
        sessionId: "main",
        requestId,
        optionId: "allow",
      }),
    ).toMatchObject({ status: "not_pending", reason: "prompt_cancelled" });
  }
  expect(await client.api.sessions.awaitPrompt.mutate({ promptId })).toMatchObject({
    stopReason: "cancelled",
  });
});

test.each([
  ["allow_all", "allow"],
  ["reject_all", "reject"],
] as const)("the policy %s answers by itself and stores no request", async (policy, optionId) => {
  await using ctx = await asked(policy, "/permission");
  const { client, promptId } = ctx;
  await client.api.sessions.awaitPrompt.mutate({ promptId });
  const events = await historyOf(client, "main");
  expect(spokenIn(events, promptId)).toContain(`\`${optionId}\``);
  expect(events.filter(({ type }) => type.startsWith("permission_"))).toEqual([]);
});
