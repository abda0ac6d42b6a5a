import type { JsonObject, JsonValue } from "@signalbox/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { AgentTransport, LaunchSpec } from "../wire/agent-transport.ts";
import { openWire } from "../wire/agent-wire.ts";
import type { WireRequest } from "../wire/wire.ts";
import { type ScriptedAgent, scriptedAgent } from "./scripted-agent.ts";
import { ScriptedFailure } from "./scripted-failure.ts";

const signal = new AbortController().signal;
const SPEC: LaunchSpec = {
  command: "scripted",
  args: [],
  env: {},
  cwd: "/",
  mark: "m",
  stderrTailBytes: 100,
};

async function launch(agent: ScriptedAgent, onRequest?: (request: WireRequest) => JsonValue) {
  const transport: AgentTransport = await agent(SPEC, signal);
  const updates: JsonObject[] = [];
  const raws: string[] = [];
  const noise: string[] = [];
  const wire = openWire(
    transport,
    {
      onUpdate: ({ update, raw }) => {
        updates.push(update);
        raws.push(raw);
      },
      onNotification: () => {},
      onRequest: (request) => {
        if (onRequest === undefined) wire.respondError(request.id, -32601, "Method not found");
        else wire.respond(request.id, onRequest(request));
      },
      onNoise: ({ text }) => noise.push(text),
      onHandlerError: () => {},
    },
    { maxLineBytes: 1024 * 1024 },
  );
  onTestFinished(async () => {
    await transport.stop({ graceMs: 0 });
    expect(agent.running).toBe(0);
  });
  const ask = (method: string, params: JsonObject = {}) => wire.request(method, params, { signal });
  const prompt = (sessionId: string, text = "hello") =>
    ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  return { transport, wire, updates, raws, noise, ask, prompt };
}

test("a turn says what the script says, exactly", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say(`you said ${turn.text}`, "m1");
    await turn.updateText('{"sessionUpdate":"_x","n":1.0}');
    await turn.line("noise");
  });
  const { ask, prompt, updates, raws, noise } = await launch(agent);
  await ask("initialize");
  expect(await ask("session/new", { cwd: "/w" })).toEqual({ sessionId: "agent-session-1" });
  expect(await prompt("agent-session-1")).toEqual({ stopReason: "end_turn" });
  expect(updates[0]).toMatchObject({ content: { text: "you said hello" }, messageId: "m1" });
  expect(raws[1]).toBe('{"sessionUpdate":"_x","n":1.0}');
  expect(noise).toEqual(["noise"]);
  expect(agent.calls.map(({ method }) => method)).toEqual([
    "initialize",
    "session/new",
    "session/prompt",
  ]);
});

test("a permission gives the chosen option, a cancelled one gives nothing, a refused one throws", async () => {
  const chosen: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    chosen.push(
      await turn.askPermission({ title: "one" }),
      await turn.askPermission({ title: "two" }),
    );
    return "refusal";
  });
  const outcomes = [{ outcome: "selected", optionId: "allow" }, { outcome: "cancelled" }];
  const first = await launch(agent, () => ({ outcome: outcomes.shift() ?? null }));
  await first.ask("session/new");
  expect(await first.prompt("agent-session-1")).toEqual({ stopReason: "refusal" });
  expect(chosen).toEqual(["allow", undefined]);
  await first.transport.stop({ graceMs: 0 });
  const refusing = await launch(agent);
  await expect(refusing.prompt("agent-session-1")).rejects.toMatchObject({ rpcCode: -32601 });
});

test("cancel reaches the turn it is for", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.untilCancelled();
    return "cancelled";
  });
  const { ask, prompt, wire } = await launch(agent);
  await ask("session/new");
  const turn = prompt("agent-session-1");
  await agent.called("session/prompt");
  wire.notifyUrgent("session/cancel", { sessionId: "agent-session-1" });
  expect(await turn).toEqual({ stopReason: "cancelled" });
});

test("a crash keeps what was said, ends open turns and can be launched over", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("last");
    turn.stderr("oh no");
    turn.crash({ code: 9 });
    await turn.untilCancelled();
  });
  const first = await launch(agent);
  await first.ask("session/new");
  await expect(first.prompt("agent-session-1")).rejects.toMatchObject({ name: "WireClosedError" });
  expect(first.updates).toHaveLength(1);
  expect(await first.transport.exited).toEqual({ code: 9, signal: null });
  expect(first.transport.stderrTail().text).toBe("oh no");
  await expect(first.transport.write("{}")).rejects.toThrow("EPIPE");
  const second = await launch(agent);
  await second.ask("session/load", { sessionId: "agent-session-1" });
  expect(second.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "agent_message_chunk",
  ]);
  expect(agent.launches).toHaveLength(2);
  expect(agent.running).toBe(1);
});

test("failures, unknown sessions and handlers answer as told", async () => {
  const agent = scriptedAgent(async () => undefined, {
    failNew: new ScriptedFailure(-32000, "log in", { a: 1 }),
    handle: { "session/list": () => ({ sessions: "nonsense" }) },
  });
  const { ask } = await launch(agent);
  await expect(ask("session/new")).rejects.toMatchObject({ rpcCode: -32000, rpcData: { a: 1 } });
  await expect(ask("session/resume", { sessionId: "x" })).rejects.toMatchObject({
    rpcCode: -32002,
  });
  await expect(ask("nothing")).rejects.toMatchObject({ rpcCode: -32601 });
  expect(await ask("session/list")).toEqual({ sessions: "nonsense" });
});

test("config options take what they offer", async () => {
  const agent = scriptedAgent(async () => undefined, {
    configOptions: [
      {
        id: "model",
        type: "select",
        currentValue: "a",
        options: [{ value: "a" }, { group: "g", options: [{ value: "b" }] }],
      },
    ],
  });
  const { ask } = await launch(agent);
  expect(await ask("session/new")).toMatchObject({ configOptions: [{ currentValue: "a" }] });
  expect(await ask("session/set_config_option", { configId: "model", value: "b" })).toMatchObject({
    configOptions: [{ currentValue: "b" }],
  });
  await expect(
    ask("session/set_config_option", { configId: "model", value: "c" }),
  ).rejects.toMatchObject({ rpcCode: -32602 });
});

test("an agent that ignores the end of its input is killed after the grace", async () => {
  const agent = scriptedAgent(async () => undefined, { ignoresEndOfInput: true });
  const { transport } = await launch(agent);
  expect(await transport.stop({ graceMs: 1 })).toEqual({ code: null, signal: "SIGKILL" });
});

test("a flood waits for its reader", async () => {
  let sent = 0;
  const agent = scriptedAgent(async (turn) => {
    for (; sent < 10_000; sent += 1) await turn.say("x".repeat(100));
  });
  const { ask, prompt, wire, updates } = await launch(agent);
  await ask("session/new");
  wire.pause();
  const turn = prompt("agent-session-1");
  await expect.poll(() => sent).toBeGreaterThan(0);
  await new Promise(setImmediate);
  expect(sent).toBeLessThan(2_000);
  wire.resume();
  await turn;
  expect(updates).toHaveLength(10_000);
});
