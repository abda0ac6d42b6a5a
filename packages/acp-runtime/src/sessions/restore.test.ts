/** How a session comes back: what is tried, what is shown of it, and what the agent is told. */
import type { JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { ScriptedFailure, scriptedAgent, testRuntime } from "../testing/index.ts";
import type { ScriptedOptions } from "../testing/scripted-agent.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;
const BOTH_TIERS = { loadSession: true, sessionCapabilities: { resume: {} } };

/** An agent whose turns are heard, and whose restores do as the test says. */
function listening(options: ScriptedOptions = {}) {
  const heard: string[][] = [];
  const agent = scriptedAgent(
    async (turn) => {
      heard.push(turn.content.map((part) => String(Object(part).text)));
      await turn.think("let me see");
      await turn.say(`answer ${heard.length}`);
      return "end_turn";
    },
    { capabilities: BOTH_TIERS, ...options },
  );
  return { agent, heard };
}

const unload = (ctx: TestRuntime) => ctx.runtime.unloadSession("main", OPERATOR);

async function restored(ctx: TestRuntime) {
  return (await ctx.events()).filter(({ type }) => type === "_signalbox/restored");
}

test("a resume is one call with the session's folder and servers, and adds one event", async () => {
  const { agent } = listening();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  await unload(ctx);
  const { promptId } = await ctx.prompt("two");
  expect(agent.callsOf("session/resume")).toMatchObject([
    { params: { sessionId: "agent-session-1", cwd: ctx.workspace, mcpServers: [] } },
  ]);
  expect(agent.callsOf("session/load")).toEqual([]);
  const [event, ...more] = await restored(ctx);
  expect(event).toMatchObject({ mode: "resumed", promptId });
  expect(event).not.toHaveProperty("reason");
  expect(more).toEqual([]);
});

test("a restore by an open is outside any turn", async () => {
  const { agent } = listening();
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await unload(ctx);
  await ctx.open();
  expect(await restored(ctx)).toMatchObject([{ mode: "resumed", promptId: null }]);
});

test("a changed option restores the session, and nothing else is asked of the agent", async () => {
  const configOptions = [
    { id: "model", name: "m", type: "select", currentValue: "a", options: [{ value: "b" }] },
  ];
  const { agent } = listening({ configOptions });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await unload(ctx);
  const change = { sessionId: "main", configId: "model", value: "b" };
  const { options } = await ctx.runtime.setConfigOption(change, OPERATOR, NEVER);
  expect(options).toMatchObject([{ id: "model", currentValue: "b" }]);
  expect(await restored(ctx)).toMatchObject([{ mode: "resumed" }]);
  expect(agent.callsOf("session/prompt")).toEqual([]);
});

test("a replay is kept out of history whatever is in it, and what follows its answer is kept", async () => {
  const replayed: JsonObject[] = [
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "old question" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "old answer" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "old thought" } },
    { sessionUpdate: "tool_call", toolCallId: "t", title: "old", status: "completed" },
    { sessionUpdate: "plan", entries: [] },
    { sessionUpdate: "session_info_update", title: "old title" },
    { sessionUpdate: "usage_update", used: 1, size: 2 },
    { sessionUpdate: "from_the_future", words: "old words" },
  ];
  const { agent } = listening({
    capabilities: { loadSession: true },
    onLoad: async (replay) => {
      for (const update of replayed) await replay.update(update);
      for (let count = 0; count < 2_000; count += 1) await replay.say("old ".repeat(500));
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  await unload(ctx);
  const before = (await ctx.events()).length;
  const result = await ctx.prompt("two");
  expect(result.message?.content).toEqual([{ type: "text", text: "answer 2" }]);
  const added = (await ctx.events()).slice(before);
  expect(added.map(({ type }) => type)).toEqual([
    "user_message_chunk",
    "_signalbox/restored",
    "agent_thought_chunk",
    "agent_message_chunk",
    "_signalbox/turn_ended",
  ]);
  expect(JSON.stringify(await ctx.events())).not.toContain("old");
});

const wrongAnswers: [string, unknown][] = [
  ["an error", new ScriptedFailure(-32603, "cannot")],
  ["a refusal to know the session", new ScriptedFailure(-32002, "no such session")],
];

test.each(wrongAnswers)("each means that answers with %s falls to the next", async (_n, error) => {
  const refuse = () => {
    throw error;
  };
  const { agent } = listening({
    handle: { "session/resume": refuse, "session/load": refuse },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  await unload(ctx);
  await ctx.prompt("two");
  expect(agent.callsOf("session/resume")).toHaveLength(1);
  expect(agent.callsOf("session/load")).toHaveLength(1);
  const [event] = await restored(ctx);
  expect(event).toMatchObject({ mode: "continued" });
  expect(event?.reason).toMatch(/session\/resume: .*; session\/load: /);
});

test("an agent that offers no means to restore is told so in the event, and continued", async () => {
  const { agent, heard } = listening({ capabilities: {} });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("one");
  await unload(ctx);
  await ctx.prompt("two");
  expect(await restored(ctx)).toMatchObject([
    { mode: "continued", reason: "the agent offers neither resume nor load" },
  ]);
  expect(heard[1]).toHaveLength(2);
});

test("the record that a continued agent gets has each turn's words in order and no noise", async () => {
  const { agent, heard } = listening({ capabilities: {} });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("first question");
  const voice = agent.voice(agent.sessionIds[0] ?? "");
  const configOptions = [{ id: "noise-option", name: "n", type: "boolean", currentValue: true }];
  await voice.update({ sessionUpdate: "config_option_update", configOptions });
  await voice.update({ sessionUpdate: "usage_update", used: 4711, size: 10_000 });
  await voice.update({ sessionUpdate: "plan", entries: [{ content: "noise-plan" }] });
  await ctx.prompt("second question");
  await unload(ctx);
  await ctx.prompt("third question");
  const [record = "", question] = heard[2] ?? [];
  expect(question).toBe("third question");
  const places = ["User: first", "Assistant: answer 1", "User: second", "Assistant: answer 2"].map(
    (words) => record.indexOf(words),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  for (const noise of ["noise", "4711", "let me see", "third question", "_signalbox", "{"]) {
    expect(record, noise).not.toContain(noise);
  }
});

test("the record is never above maxFallbackContinuationBytes, and keeps the newest words", async () => {
  for (const max of [0, 1, 300, 1_000, 5_000]) {
    const { agent, heard } = listening({ capabilities: {} });
    await using ctx = await testRuntime({
      agent,
      limits: { maxFallbackContinuationBytes: max },
    });
    await ctx.open();
    for (let turn = 0; turn < 20; turn += 1)
      await ctx.prompt(`é question ${turn} ${"é".repeat(50)}`);
    await unload(ctx);
    await ctx.prompt("now");
    const blocks = heard.at(-1) ?? [];
    expect(blocks.at(-1)).toBe("now");
    const record = blocks.length > 1 ? (blocks[0] ?? "") : "";
    expect(Buffer.byteLength(record), String(max)).toBeLessThanOrEqual(max);
    if (max >= 1_000) {
      expect(record).toContain("Assistant: answer 20");
      expect(record).toContain("é question 19");
    }
    if (max === 1_000) expect(record).not.toContain("question 1 ");
  }
});

test("one message that is larger than the record may be is cut, not left out", async () => {
  const { agent, heard } = listening({ capabilities: {} });
  await using ctx = await testRuntime({ agent, limits: { maxFallbackContinuationBytes: 2_000 } });
  await ctx.open();
  await ctx.prompt("before it");
  await ctx.prompt(`the beginning ${"long ".repeat(5_000)} the end`);
  await unload(ctx);
  await ctx.prompt("now");
  const [record = ""] = heard.at(-1) ?? [];
  expect(record).toContain("the beginning");
  for (const words of ["User: before it", "Assistant: answer 1", "Assistant: answer 2"]) {
    expect(record).toContain(words);
  }
  expect(Buffer.byteLength(record)).toBeLessThanOrEqual(2_000);
});

test("the record is given once: not again after it was sent, again when it was not", async () => {
  let mayStart = true;
  const { agent, heard } = listening({
    capabilities: {},
    handle: {
      "session/new": () => {
        if (!mayStart) throw new ScriptedFailure(-32603, "later");
        return { sessionId: `agent-session-${agent.launches.length}` };
      },
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("remember");
  await unload(ctx);
  mayStart = false;
  await expect(ctx.prompt("lost")).rejects.toMatchObject({ details: { delivery: "never" } });
  mayStart = true;
  await ctx.prompt("two");
  await ctx.prompt("three");
  expect(heard.map((blocks) => blocks.length)).toEqual([1, 2, 1]);
  expect(heard[1]?.[0]).toContain("User: remember");
});

test("only settings that differ are set again, options and mode alike", async () => {
  const option = (id: string, currentValue: string) => ({
    id,
    name: id,
    type: "select",
    currentValue,
    options: [{ value: "a" }, { value: "b" }],
  });
  const { agent } = listening({
    configOptions: [option("model", "a"), option("mood", "a")],
    modes: {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    },
    handle: {
      "session/resume": () => ({
        configOptions: [option("model", "a"), option("mood", "a")],
        modes: { currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "code" }] },
      }),
    },
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const change = { sessionId: "main", configId: "mood", value: "b" };
  await ctx.runtime.setConfigOption(change, OPERATOR, NEVER);
  await agent
    .voice(agent.sessionIds[0] ?? "")
    .update({ sessionUpdate: "current_mode_update", currentModeId: "code" });
  await expect
    .poll(async () => (await ctx.runtime.sessionConfig("main")).modes)
    .toMatchObject({ currentModeId: "code" });
  await unload(ctx);
  await ctx.prompt("go");
  const again = (method: string) =>
    agent.callsOf(method).flatMap(({ launch, params }) => (launch === 1 ? [params] : []));
  expect(again("session/set_config_option")).toMatchObject([{ configId: "mood", value: "b" }]);
  expect(again("session/set_mode")).toMatchObject([{ modeId: "code" }]);
  expect(await ctx.types()).not.toContain("_signalbox/config_refused");
  const { options, modes } = await ctx.runtime.sessionConfig("main");
  expect(options).toMatchObject([{ currentValue: "a" }, { currentValue: "b" }]);
  expect(modes).toMatchObject({ currentModeId: "code" });
});

test("a server that was killed restores its sessions by their next use, none before", async () => {
  const { agent } = listening();
  await using ctx = await testRuntime({ agent });
  for (const sessionId of ["one", "two"]) {
    await ctx.open({ sessionId });
    await ctx.prompt("go", { sessionId });
  }
  await using after = await ctx.afterCrash();
  expect(agent.launches).toHaveLength(2);
  await after.prompt("go", { sessionId: "two" });
  expect(agent.launches).toHaveLength(3);
  expect((await after.runtime.getSession("one")).adapter).toBe("unloaded");
});
