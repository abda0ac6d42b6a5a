import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { AgentProcess, temporaryDir } from "./testing/agent-process.ts";

test("a session that was killed in a turn resumes without a replay and recalls its prompts", async () => {
  await using dir = await temporaryDir();
  let sessionId: string;
  {
    await using agent = await AgentProcess.start(dir.path);
    sessionId = await agent.newSession(dir.path);
    await agent.prompt(sessionId, "my cat is called Lampe");
    const ended = agent.prompt(sessionId, "/slow").catch((error: unknown) => String(error));
    await agent.until(() => agent.text().includes("Still going"));
    agent.kill("SIGKILL");
    expect(await ended).toContain("ended early");
  }
  await using agent = await AgentProcess.start(dir.path);
  await agent.request("session/resume", { sessionId, cwd: dir.path, mcpServers: [] });
  await agent.until(() => agent.updates("available_commands_update").length === 1);
  expect(agent.updates().map((update) => update.sessionUpdate)).toEqual([
    "available_commands_update",
  ]);
  await agent.prompt(sessionId, "what did I say before?");
  expect(agent.text()).toContain("1. my cat is called Lampe\n2. /slow");
});

test("a load replays messages, calls and plans whole before it is answered", async () => {
  await using dir = await temporaryDir();
  let sessionId: string;
  let spoken: string;
  {
    await using agent = await AgentProcess.start(dir.path);
    sessionId = await agent.newSession(dir.path);
    await agent.prompt(sessionId, "good morning");
    await agent.prompt(sessionId, "/run");
    await agent.prompt(sessionId, "/plan");
    spoken = agent.text();
  }
  await using agent = await AgentProcess.start(dir.path);
  const loaded = await agent.request("session/load", {
    sessionId,
    cwd: dir.path,
    mcpServers: [],
  });
  expect(loaded).toMatchObject({ modes: { currentModeId: "ask" } });
  const answered = agent.messages.findIndex((message) => message.id === 2);
  const replayed = JSON.stringify(agent.messages.slice(0, answered));
  expect(replayed).toContain("The plan is done");
  expect(agent.updates("user_message_chunk")).toMatchObject([
    { content: { text: "good morning" } },
    { content: { text: "/run" } },
    { content: { text: "/plan" } },
  ]);
  expect(agent.text()).toBe(spoken);
  expect(agent.updates("agent_message_chunk")).toHaveLength(3);
  expect(agent.updates("tool_call")).toMatchObject([
    { status: "completed", _meta: { terminal_exit: { exit_code: 0 } } },
  ]);
  expect(JSON.stringify(agent.updates("tool_call"))).toContain("3 passed");
  expect(agent.updates("plan")).toHaveLength(1);
});

test("a session that nobody stored is not found", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  for (const sessionId of ["demo-unknown", "../../etc/passwd", ""]) {
    const params = { sessionId, cwd: dir.path, mcpServers: [] };
    await expect(agent.request("session/load", params)).rejects.toMatchObject({ code: -32002 });
    await expect(agent.request("session/resume", params)).rejects.toMatchObject({ code: -32002 });
  }
});

test("options and the mode are kept over a restart", async () => {
  await using dir = await temporaryDir();
  let sessionId: string;
  {
    await using agent = await AgentProcess.start(dir.path);
    sessionId = await agent.newSession(dir.path);
    const set = (configId: string, value: string | boolean) =>
      agent.request("session/set_config_option", {
        sessionId,
        configId,
        value,
        ...(typeof value === "boolean" ? { type: "boolean" } : {}),
      });
    await set("model", "demo-thorough");
    const last = await set("concise", true);
    expect(last.configOptions).toMatchObject([
      { id: "mode", currentValue: "ask" },
      { id: "model", currentValue: "demo-thorough" },
      { id: "thought_level", currentValue: "brief" },
      { id: "concise", currentValue: true },
    ]);
    await expect(set("model", "demo-genius")).rejects.toMatchObject({ code: -32602 });
    await expect(set("colour", "red")).rejects.toMatchObject({ code: -32602 });
    await agent.request("session/set_mode", { sessionId, modeId: "auto" });
    expect(agent.updates("current_mode_update")).toMatchObject([{ currentModeId: "auto" }]);
    expect(await agent.prompt(sessionId, "/write unasked")).toBe("end_turn");
  }
  await using agent = await AgentProcess.start(dir.path);
  const resumed = await agent.request("session/resume", { sessionId, cwd: dir.path });
  expect(resumed).toMatchObject({
    modes: { currentModeId: "auto" },
    configOptions: [{}, { currentValue: "demo-thorough" }, {}, { currentValue: true }],
  });
});

test("a boolean option is offered only to a client that knows them", async () => {
  await using dir = await temporaryDir();
  await using agent = new AgentProcess(dir.path);
  await agent.request("initialize", { protocolVersion: 1 });
  const opened = await agent.request("session/new", { cwd: dir.path, mcpServers: [] });
  expect(JSON.stringify(opened)).not.toContain("boolean");
});

test("the list gives each session once, newest first, over its pages", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const opened: string[] = [];
  for (let at = 0; at < 60; at++) opened.push(await agent.newSession(dir.path));
  await agent.newSession("/");
  await agent.prompt(opened[0] ?? "", "now I am the newest");
  const first = await agent.request("session/list", { cwd: dir.path });
  expect(first.sessions).toHaveLength(50);
  expect(first.sessions).toMatchObject([
    { sessionId: opened[0], title: "now I am the newest", cwd: dir.path },
    ...Array(49).fill({ title: null }),
  ]);
  const second = await agent.request("session/list", { cwd: dir.path, cursor: first.nextCursor });
  expect(second.nextCursor).toBeNull();
  const listed = JSON.stringify([first, second]).match(/demo-[0-9a-f-]{36}/g) ?? [];
  expect(listed.sort()).toEqual(opened.sort());
  const bad = agent.request("session/list", { cursor: "nonsense" });
  await expect(bad).rejects.toMatchObject({ code: -32602 });
});

test("a deleted session leaves no file, even when it is deleted in a turn", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession("/");
  const ended = agent.prompt(sessionId, "/stubborn");
  await agent.until(() => agent.text() !== "");
  await agent.request("session/delete", { sessionId });
  expect(await ended).toBe("cancelled");
  expect(await readdir(dir.path)).toEqual([]);
});
