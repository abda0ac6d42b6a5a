/** What we send and store where ACP has a shape for it, against the schema that its SDK ships. */
import fs from "node:fs";
import path from "node:path";
import type { DurableEvent, JsonValue } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { complaints } from "../testing/acp-schema.ts";
import { ScriptedFailure, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

const REQUESTS: Readonly<Record<string, string>> = {
  initialize: "InitializeRequest",
  authenticate: "AuthenticateRequest",
  "session/new": "NewSessionRequest",
  "session/load": "LoadSessionRequest",
  "session/resume": "ResumeSessionRequest",
  "session/list": "ListSessionsRequest",
  "session/close": "CloseSessionRequest",
  "session/prompt": "PromptRequest",
  "session/cancel": "CancelNotification",
  "session/set_config_option": "SetSessionConfigOptionRequest",
  "session/set_mode": "SetSessionModeRequest",
};

/** A session that meets everything we may send. */
async function everything() {
  const answers: JsonValue[] = [];
  let isForgetful = false;
  const agent = scriptedAgent(
    async (turn) => {
      if (turn.text === "stay") {
        await turn.untilCancelled();
        return "cancelled";
      }
      await turn.think("hm");
      await turn.say("well");
      await turn.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Reading" });
      for (const options of [
        [{ optionId: "a", name: "Allow", kind: "allow_once" }],
        [{ optionId: "x", name: "Hm", kind: "unknown" }],
      ]) {
        const toolCall = { toolCallId: "t", title: "Reading" };
        const params = { sessionId: turn.sessionId, toolCall, options };
        const answer = await turn.requestRaw("session/request_permission", params);
        if ("result" in answer) answers.push(answer.result);
      }
      await turn.update({ sessionUpdate: "plan", entries: [] });
      return "end_turn";
    },
    {
      capabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { resume: {}, close: {}, list: {}, additionalDirectories: {} },
      },
      initialize: { authMethods: [{ id: "key", name: "Key" }] },
      configOptions: [{ id: "x", name: "x", type: "boolean", currentValue: false }],
      modes: { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan" }] },
      handle: {
        "session/resume": () => {
          if (isForgetful) throw new ScriptedFailure(-32603, "forgotten");
          return { modes: { currentModeId: "ask", availableModes: [] } };
        },
      },
    },
  );
  await using ctx = await testRuntime({ agent });
  const extra = path.join(ctx.workspace, "extra");
  fs.mkdirSync(extra);
  await ctx.open({
    additionalDirectories: [extra],
    mcpServers: [
      { name: "files", command: "/bin/files", args: ["-v"], env: [{ name: "A", value: "1" }] },
      { type: "http", name: "web", url: "http://127.0.0.1:1/", headers: [] },
    ],
  });
  const set = { sessionId: "main", configId: "x", value: true };
  await ctx.runtime.setConfigOption(set, OPERATOR, NEVER);
  await ctx.prompt("go", {
    content: [
      { type: "text", text: "go" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ],
  });
  const { promptId } = await ctx.submit("stay");
  await agent.called("session/prompt", 2);
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  for (const forgets of [false, true]) {
    isForgetful = forgets;
    await ctx.runtime.unloadSession("main", OPERATOR);
    await ctx.prompt("again");
  }
  await ctx.runtime.listAgentSessions({ agent: "scripted", cwd: ctx.workspace });
  await ctx.runtime.authenticateAgent({ agent: "scripted", methodId: "key" }, OPERATOR);
  return { calls: agent.calls, answers, events: await ctx.events() };
}

test("every request and notification is one of ACP's", async () => {
  const { calls } = await everything();
  const sent = new Set(calls.map(({ method }) => method));
  expect([...sent].sort()).toEqual(Object.keys(REQUESTS).sort());
  for (const { method, params } of calls) {
    expect(complaints(REQUESTS[method] ?? "", params), method).toEqual([]);
  }
});

test("every answer to a permission request is one of ACP's", async () => {
  const { answers } = await everything();
  expect(answers.length).toBeGreaterThan(1);
  for (const answer of answers) {
    expect(complaints("RequestPermissionResponse", answer)).toEqual([]);
  }
});

/** The update that an event stands for. */
function updateOf(event: DurableEvent): JsonValue {
  const {
    durability: _durability,
    sessionId: _sessionId,
    sequence: _sequence,
    timestamp: _timestamp,
    promptId: _promptId,
    type,
    ...fields
  } = event;
  return { sessionUpdate: type, ...fields };
}

test("every event that is not of our own kind is an update of ACP's", async () => {
  const { events } = await everything();
  const native = events.filter(({ type }) => !type.startsWith("_signalbox/"));
  expect(new Set(native.map(({ type }) => type))).toEqual(
    new Set([
      "user_message_chunk",
      "agent_thought_chunk",
      "agent_message_chunk",
      "tool_call",
      "plan",
    ]),
  );
  for (const event of native) {
    expect(complaints("SessionUpdate", updateOf(event)), event.type).toEqual([]);
  }
});

test("what is not of ACP's is found", () => {
  expect(complaints("PromptRequest", { sessionId: 5 })).not.toEqual([]);
  expect(complaints("RequestPermissionResponse", { outcome: "yes" })).not.toEqual([]);
});
