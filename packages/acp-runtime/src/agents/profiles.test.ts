/** What a profile changes: how instructions reach the agent, the model, and what a cancel costs. */
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntimeOptions } from "../testing/test-runtime.ts";
import { type AgentProfile, GENERIC_PROFILE, PROFILE_NAMES, profileOf } from "./profiles.ts";

const NEVER = new AbortController().signal;
const RULES = "Be brief.";
const LOADING = { loadSession: true, sessionCapabilities: {} };

const channel = (instructions: AgentProfile["instructions"]): AgentProfile => ({
  ...GENERIC_PROFILE,
  instructions,
});

/** Opens, prompts, unloads and prompts again. */
async function twice(capabilities: typeof LOADING, options: Partial<TestRuntimeOptions> = {}) {
  const agent = scriptedAgent(async () => "end_turn", { capabilities });
  await using ctx = await testRuntime({ agent, instructions: RULES, ...options });
  await ctx.open({ additionalInstructions: "In French." });
  await ctx.prompt("one");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("two");
  return agent;
}

const WHOLE = `${RULES}\n\nIn French.`;

test("ACP's own field carries the instructions where it is offered, at each start", async () => {
  const sessionCapabilities = { systemPrompt: {} };
  const agent = await twice(
    { ...LOADING, sessionCapabilities },
    { profile: channel({ kind: "meta" }) },
  );
  const systemPrompt = { mode: "append", content: [{ type: "text", text: WHOLE }] };
  for (const method of ["session/new", "session/load"]) {
    expect(agent.callsOf(method)[0]?.params).toMatchObject({ systemPrompt });
    expect(agent.callsOf(method)[0]?.params).not.toHaveProperty("_meta");
  }
  expect(JSON.stringify(agent.callsOf("session/prompt"))).not.toContain(RULES);
});

test("a field of the agent's own carries them at each start", async () => {
  const agent = await twice(LOADING, { profile: channel({ kind: "meta" }) });
  for (const method of ["session/new", "session/load"]) {
    expect(agent.callsOf(method)[0]?.params).toMatchObject({
      _meta: { systemPrompt: { append: WHOLE } },
    });
  }
  expect(JSON.stringify(agent.callsOf("session/prompt"))).not.toContain(RULES);
});

test("a variable carries them at each start", async () => {
  const agent = await twice(LOADING, { profile: channel({ kind: "environment", name: "RULES" }) });
  expect(agent.launches.map(({ env }) => env.RULES)).toEqual([WHOLE, WHOLE]);
  expect(JSON.stringify(agent.callsOf("session/prompt"))).not.toContain(RULES);
});

test("an argument carries them at each start", async () => {
  const agent = await twice(LOADING, { profile: channel({ kind: "argument", flag: "--rules" }) });
  expect(agent.launches.map(({ args }) => args)).toEqual([
    ["--rules", WHOLE],
    ["--rules", WHOLE],
  ]);
  expect(JSON.stringify(agent.callsOf("session/prompt"))).not.toContain(RULES);
});

test("without a channel they lead the first prompt, once, marked", async () => {
  const agent = await twice(LOADING);
  const [first, second] = agent.callsOf("session/prompt").map(({ params }) => params.prompt);
  expect(first).toEqual([
    { type: "text", text: `[Instructions from the operator of this session]\n${WHOLE}` },
    { type: "text", text: "one" },
  ]);
  expect(second).toEqual([{ type: "text", text: "two" }]);
});

test("nothing is sent when there are no instructions", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { systemPrompt: {} } },
  });
  await using ctx = await testRuntime({
    agent,
    instructions: RULES,
    profile: channel({ kind: "environment", name: "RULES" }),
  });
  await ctx.open({ skipOsInstructions: true });
  expect(agent.callsOf("session/new")[0]?.params).not.toHaveProperty("systemPrompt");
  expect(agent.launches[0]?.env).not.toHaveProperty("RULES");
});

const MODELS = [{ value: "small" }, { value: "large" }];

test("a new session is set to the configured model, by its option", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    configOptions: [
      { id: "llm", category: "model", type: "select", currentValue: "small", options: MODELS },
    ],
  });
  await using ctx = await testRuntime({ agent, model: "large" });
  await ctx.open();
  expect((await ctx.runtime.sessionConfig("main")).options[0]).toMatchObject({
    currentValue: "large",
  });
});

test("an agent that lists its models in the older way is asked in the older way", async () => {
  const agent = scriptedAgent(async () => "end_turn", {
    session: { models: { currentModelId: "small", availableModels: [] } },
    handle: { "session/set_model": () => ({}) },
  });
  await using ctx = await testRuntime({ agent, model: "large" });
  await ctx.open();
  expect(agent.callsOf("session/set_model")[0]?.params).toMatchObject({ modelId: "large" });
});

test("a model that the agent does not have fails the open, and leaves nothing", async () => {
  const select = { id: "model", type: "select", currentValue: "small", options: MODELS };
  for (const configOptions of [[], [select]]) {
    const agent = scriptedAgent(async () => "end_turn", { configOptions });
    await using ctx = await testRuntime({ agent, model: "huge" });
    await expect(ctx.open()).rejects.toMatchObject({
      code: "config_rejected",
      details: { field: "agents.scripted.model", model: "huge" },
    });
    expect(agent.running).toBe(0);
    expect((await ctx.runtime.listSessions({})).sessions).toEqual([]);
  }
});

test("an agent that a cancel has spoilt is replaced before the next prompt", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      if (turn.text === "stay") await turn.untilCancelled();
      return turn.cancelled.aborted ? "cancelled" : "end_turn";
    },
    {
      capabilities: LOADING,
      initialize: { agentInfo: { name: "@zed-industries/claude-agent-acp", version: "0.23.1" } },
    },
  );
  const profile = profileOf("claude") ?? GENERIC_PROFILE;
  await using ctx = await testRuntime({ agent, profile });
  await ctx.open();
  await ctx.prompt("go");
  expect(agent.launches).toHaveLength(1);
  const { promptId } = await ctx.submit("stay");
  await agent.called("session/prompt", 2);
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  expect((await ctx.prompt("again")).stopReason).toBe("end_turn");
  expect(agent.launches).toHaveLength(2);
  expect((await ctx.types()).filter((type) => type === "_signalbox/restored")).toHaveLength(1);
  expect(await ctx.types()).not.toContain("_signalbox/adapter_exited");
});

test("every profile that the configuration may name is there", () => {
  expect(PROFILE_NAMES).toEqual(
    expect.arrayContaining(["claude", "codex", "gemini", "opencode", "pi", "copilot", "qwen"]),
  );
  for (const name of PROFILE_NAMES) expect(profileOf(name)).toBeDefined();
  expect(profileOf("nobody")).toBeUndefined();
});
