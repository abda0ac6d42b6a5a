import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentProcess, temporaryDir } from "./testing/agent-process.ts";

test("free text is said back in chunks of one message", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  expect(await agent.prompt(sessionId, "the kettle is on")).toBe("end_turn");
  expect(agent.text()).toContain("You said: the kettle is on");
  const chunks = agent.updates("agent_message_chunk");
  expect(chunks.length).toBeGreaterThan(3);
  expect(new Set(chunks.map((chunk) => chunk.messageId)).size).toBe(1);
});

test("commands are told after the session is named, a title after the first prompt alone", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  await agent.until(() => agent.updates("available_commands_update").length === 1);
  const named = agent.messages.findIndex((message) => message.id === 2);
  const told = agent.messages.findIndex((message) => message.method === "session/update");
  expect(told).toBeGreaterThan(named);
  await agent.prompt(sessionId, "first words");
  await agent.prompt(sessionId, "second words");
  const titles = agent.updates("session_info_update").map((update) => update.title);
  expect(titles).toEqual(["first words", undefined]);
});

test("usage grows with each turn", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  await agent.prompt(sessionId, "one");
  await agent.prompt(sessionId, "two");
  const [first, second] = agent.updates("usage_update");
  expect(second?.used).toBeGreaterThan(Number(first?.used));
  expect(first?.cost).toMatchObject({ currency: "USD" });
});

test("instructions before the user's words do not hide a command", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const prompt = [
    { type: "text", text: "Please write files with care." },
    { type: "text", text: "/recall" },
  ];
  await agent.request("session/prompt", { sessionId, prompt });
  expect(agent.text()).toContain("first thing you have said");
});

test("an allowed write is done, and its diff was shown before", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "please edit a file");
  const [asked] = await agent.asked(1);
  expect(asked?.params.toolCall).toMatchObject({ kind: "edit", content: [{ type: "diff" }] });
  expect(asked?.params.options).toMatchObject([
    { kind: "allow_once" },
    { kind: "allow_always" },
    { kind: "reject_once" },
  ]);
  if (asked) agent.answer(asked, { outcome: { outcome: "selected", optionId: "allow" } });
  expect(await ended).toBe("end_turn");
  expect(await readFile(join(dir.path, "signalbox-demo.txt"), "utf8")).toContain("Signalbox");
  expect(agent.updates("tool_call_update").at(-1)?.status).toBe("completed");
});

test("a rejected write touches nothing", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/write hello");
  const [asked] = await agent.asked(1);
  if (asked) agent.answer(asked, { outcome: { outcome: "selected", optionId: "reject" } });
  expect(await ended).toBe("end_turn");
  expect(agent.updates("tool_call_update").at(-1)?.status).toBe("failed");
  await expect(readFile(join(dir.path, "signalbox-demo.txt"))).rejects.toThrow("ENOENT");
});

test("an action that is always allowed is not asked about again", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const first = agent.prompt(sessionId, "/write one");
  const [asked] = await agent.asked(1);
  if (asked) agent.answer(asked, { outcome: { outcome: "selected", optionId: "allow-always" } });
  await first;
  expect(await agent.prompt(sessionId, "/write two")).toBe("end_turn");
  expect(await readFile(join(dir.path, "signalbox-demo.txt"), "utf8")).toBe("two\n");
});

test("many permissions are open at once and may be answered in any order", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/permissions 40");
  const asked = await agent.asked(40);
  for (const [index, request] of asked.reverse().entries()) {
    const optionId = index % 2 === 0 ? "allow" : "reject";
    agent.answer(request, { outcome: { outcome: "selected", optionId } });
  }
  expect(await ended).toBe("end_turn");
  expect(agent.text()).toContain("`allow`: 20");
  expect(agent.text()).toContain("`reject`: 20");
  expect(agent.stderr).toBe("");
});

test("odd options reach the client as they are", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/odd-permission");
  const [asked] = await agent.asked(1);
  expect(asked?.params.options).toMatchObject([
    { kind: "postpone" },
    { name: "Yes" },
    { name: "Yes" },
    { name: "<b>Never</b>" },
  ]);
  if (asked) agent.answer(asked, { outcome: { outcome: "selected", optionId: "later" } });
  await ended;
  expect(agent.text()).toContain("`later`");
});

test("a form question gives back what was answered", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/question");
  const [asked] = await agent.asked(1);
  expect(asked?.method).toBe("elicitation/create");
  if (asked) agent.answer(asked, { action: "accept", content: { version: "1.2.3" } });
  await ended;
  expect(agent.text()).toContain('"version": "1.2.3"');
});

test("a link is reported as done once it was opened, and not when it was declined", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  for (const [index, action] of ["decline", "accept"].entries()) {
    const ended = agent.prompt(sessionId, "/link");
    const asked = (await agent.asked(index + 1))[index];
    expect(asked?.params).toMatchObject({ mode: "url", url: expect.stringMatching(/^https:/) });
    if (asked) agent.answer(asked, { action });
    await ended;
  }
  const done = agent.messages.filter(({ method }) => method === "elicitation/complete");
  const [, accepted] = await agent.asked(2);
  expect(done.map(({ params }) => params)).toEqual([
    { elicitationId: accepted?.params.elicitationId },
  ]);
});

test("the tour shows thought, plan, reading, diff, terminal, summary and usage in one turn", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  const ended = agent.prompt(sessionId, "/tour");
  const [asked] = await agent.asked(1);
  if (asked) agent.answer(asked, { outcome: { outcome: "selected", optionId: "allow" } });
  expect(await ended).toBe("end_turn");
  expect(agent.text("agent_thought_chunk")).not.toBe("");
  expect(agent.updates("tool_call").map((call) => call.kind)).toEqual([
    "search",
    "read",
    "edit",
    "execute",
  ]);
  const terminal = agent.updates("tool_call").at(-1);
  expect(terminal?.content).toMatchObject([{ type: "terminal" }]);
  expect(terminal?._meta).toMatchObject({ terminal_info: { cwd: dir.path } });
  expect(agent.updates("tool_call_update").at(-1)).toMatchObject({
    status: "completed",
    _meta: { terminal_exit: { exit_code: 0 } },
  });
  expect(agent.updates("plan").at(-1)?.entries).toMatchObject(
    Array(4).fill({ status: "completed" }),
  );
  expect(agent.text()).toContain("| Test | shell | **3 passed** |");
  expect(agent.updates("usage_update")).toHaveLength(2);
});

test("help names every command that is offered", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  await agent.prompt(sessionId, "/help");
  const [update] = agent.updates("available_commands_update");
  const names = JSON.stringify(update?.availableCommands).match(/(?<="name":")[^"]+/g) ?? [];
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(agent.text()).toContain(`/${name}`);
});

test("a prompt of megabytes is answered in short and remembered in short", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  expect(await agent.prompt(sessionId, "run 😀 ".repeat(500_000))).toBe("end_turn");
  expect(await agent.prompt(sessionId, "/recall")).toBe("end_turn");
  expect(agent.text().length).toBeLessThan(2_000);
  const [file] = await readdir(dir.path);
  expect((await stat(join(dir.path, file ?? ""))).size).toBeLessThan(64 * 1024);
});

test("a row of tool calls has as many as were asked for, and each ends", async () => {
  await using dir = await temporaryDir();
  await using agent = await AgentProcess.start(dir.path);
  const sessionId = await agent.newSession(dir.path);
  expect(await agent.prompt(sessionId, "/steps 25")).toBe("end_turn");
  const started = agent.updates("tool_call").map((call) => call.toolCallId);
  expect(new Set(started).size).toBe(25);
  const ended = agent.updates("tool_call_update").filter((call) => call.status === "completed");
  expect(ended.map((call) => call.toolCallId)).toEqual(started);
});
