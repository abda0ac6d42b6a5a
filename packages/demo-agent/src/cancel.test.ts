import { expect, test } from "vitest";
import { AgentProcess, RpcError, temporaryDir } from "./testing/agent-process.ts";

async function isSpeaking(agent: AgentProcess): Promise<void> {
  await agent.until(() => agent.updates("agent_message_chunk").length > 0);
}

test.each(["/slow", "/long 1000000"])("%s stops when it is cancelled", async (command) => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, command);
  await isSpeaking(agent);
  agent.notify("session/cancel", { sessionId });
  expect(await ended).toBe("cancelled");
  const spoken = agent.updates().length;
  expect(await agent.prompt(sessionId, "/stop refusal")).toBe("refusal");
  expect(agent.updates().slice(spoken)[0]?.sessionUpdate).toBe("session_info_update");
});

test("a cancel written in one piece with its prompt still cancels it", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/hang");
  agent.notify("session/cancel", { sessionId });
  expect(await ended).toBe("cancelled");
});

test("a cancel ends the turn though its permission is never answered", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/permission");
  await agent.asked(1);
  agent.notify("session/cancel", { sessionId });
  expect(await ended).toBe("cancelled");
});

test("a permission that the client cancels leaves the turn going", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/permission");
  const [asked] = await agent.asked(1);
  if (asked) agent.answer(asked, { outcome: { outcome: "cancelled" } });
  expect(await ended).toBe("end_turn");
});

test("a stubborn turn goes on after a cancel and ends with its session", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  expect(await agent.prompt(sessionId, "hello")).toBe("end_turn");
  const ended = agent.prompt(sessionId, "/stubborn");
  await agent.until(() => agent.text().includes("I do not stop, 1."));
  agent.notify("session/cancel", { sessionId });
  await agent.until(() => agent.text().includes("I do not stop, 4."));
  await agent.request("session/close", { sessionId });
  expect(await ended).toBe("cancelled");
});

test("a stubborn turn with a number ends as if it had not been cancelled", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/stubborn 3");
  await isSpeaking(agent);
  agent.notify("session/cancel", { sessionId });
  expect(await ended).toBe("end_turn");
});

test("one session takes one prompt at a time", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/hang");
  const refused = await agent.prompt(sessionId, "me too").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RpcError);
  expect(refused).toMatchObject({ code: -32600 });
  agent.notify("session/cancel", { sessionId });
  expect(await ended).toBe("cancelled");
});
