import type { JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { SessionCost } from "../turns/turn-usage.ts";
import { Redaction } from "./redaction.ts";
import { type IntakeContext, takeUpdate } from "./update-intake.ts";

const OWN_ID = "0f0e8b52-aaaa-bbbb-cccc-ddddeeeeffff";

function intake() {
  const redaction = new Redaction({ ACCOUNT: "12345678", PASS: "pa&ss/word1" });
  redaction.replaceSessionId(OWN_ID, "main");
  const events: { type: string; promptId: string | null; fields: string }[] = [];
  const said: (string | null)[] = [];
  const log: IntakeContext["log"] = {
    record: (event) => events.push(event),
    say: (_promptId, chunk) => said.push(chunk.text),
  };
  const take = (raw: string): JsonObject =>
    takeUpdate(
      { log, redaction, cost: new SessionCost(null) },
      { agentSessionId: OWN_ID, update: JSON.parse(raw), raw },
      "p1",
    );
  return { take, events, said };
}

test("an update is stored and handed back by its public ids, without secrets", () => {
  const { take, events } = intake();
  const shown = take(
    `{"sessionUpdate":"tool_call","toolCallId":"${OWN_ID}:1","title":"pa\\u0026ss/word1","n":1.0}`,
  );
  expect(shown).toEqual({
    sessionUpdate: "tool_call",
    toolCallId: "main:1",
    title: "[redacted:PASS]",
    n: 1,
  });
  expect(events).toEqual([
    {
      type: "tool_call",
      promptId: "p1",
      fields:
        '{"sessionUpdate":"tool_call","toolCallId":"main:1","title":"[redacted:PASS]","n":1.0}',
    },
  ]);
});

test("a number with the digits of a secret is an update like any other", () => {
  const { take, events } = intake();
  const raw = '{"sessionUpdate":"usage_update","used":12345678,"size":112345678.0}';
  expect(take(raw)).toEqual({ sessionUpdate: "usage_update", used: 12345678, size: 112345678 });
  expect(events[0]?.fields).toBe(raw);
});

test("what is said is handed on decoded and masked", () => {
  const { take, said } = intake();
  const content = '{"type":"text","text":"use pa\\u0026ss\\/word1"}';
  const shown = take(`{"sessionUpdate":"agent_message_chunk","content":${content}}`);
  expect(said).toEqual(["use [redacted:PASS]"]);
  expect(shown.content).toEqual({ type: "text", text: "use [redacted:PASS]" });
});

test.each([
  "_signalbox/turn_ended",
  "_signalbox/prompt_queued",
  "_signalbox/question_response",
  "_signalbox/of_tomorrow",
  "permission_request",
  "permission_response",
])("an agent that says %s is kept and not taken for us", (kind) => {
  const { take, events } = intake();
  const raw = `{"sessionUpdate":"${kind}","requestId":"r1"}`;
  take(raw);
  expect(events).toEqual([{ type: `agent:${kind}`, promptId: "p1", fields: raw }]);
});
