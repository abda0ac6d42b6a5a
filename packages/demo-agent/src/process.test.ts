import { expect, test } from "vitest";
import { AgentProcess, temporaryDir } from "./testing/agent-process.ts";

test.each([
  ["/crash", 3],
  ["/exit0", 0],
])("%s ends the process with %i in the middle of a message", async (command, code) => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, command).catch((error: unknown) => String(error));
  expect(await agent.exited).toEqual({ code, signal: null });
  expect(await ended).toContain("ended early");
  expect(agent.text()).toBe("I was about to tell you something important, but then the proc");
});

test.each(["/hang", "/stubborn", "/permission"])(
  "the end of stdin ends the process with 0 during %s",
  async (command) => {
    await using dir = await temporaryDir();
    await using agent = await AgentProcess.start(dir.path);
    const sessionId = await agent.newSession(dir.path);
    const ended = agent.prompt(sessionId, command).catch(() => undefined);
    await agent.until(() => agent.updates("session_info_update").length > 0);
    agent.endInput();
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    await ended;
    expect(agent.stderr).toBe("");
  },
);

test("SIGTERM ends the process", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  agent.kill("SIGTERM");
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test("an error of the agent is a JSON-RPC error, and the next prompt works", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  await expect(agent.prompt(sessionId, "/error")).rejects.toMatchObject({ code: -32603 });
  await expect(agent.prompt(sessionId, "/error auth")).rejects.toMatchObject({ code: -32000 });
  expect(await agent.prompt(sessionId, "still there?")).toBe("end_turn");
});

test("stderr is written on request, and a variable shown only with its prefix", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path, { DEMO_COLOUR: "teal", SECRET: "s3cret" });
  const sessionId = await agent.newSession(dir.path);
  await agent.prompt(sessionId, "/stderr 2");
  await agent.until(() => agent.stderr.includes("line 2 of 2"));
  await agent.prompt(sessionId, "/env DEMO_COLOUR");
  await agent.prompt(sessionId, "/env SECRET");
  expect(agent.text()).toContain("DEMO_COLOUR is teal");
  expect(agent.text()).not.toContain("s3cret");
});

test("an unknown update is sent with all its fields", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  await agent.prompt(sessionId, "/odd-update");
  expect(agent.updates("_demo/weather")).toMatchObject([{ wind: { from: "west", knots: 7 } }]);
});

test("a wrong delay stops the start with its name", async () => {
  await using dir = await temporaryDir();
  await using agent = new AgentProcess(dir.path, { SIGNALBOX_DEMO_DELAY_MS: "soon" });
  expect((await agent.exited).code).not.toBe(0);
  expect(agent.stderr).toContain("SIGNALBOX_DEMO_DELAY_MS");
});
