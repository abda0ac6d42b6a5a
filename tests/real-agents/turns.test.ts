/** What an operator sees of a turn, with agents that we did not write. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PromptResult } from "@signalbox/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../support/session.ts";
import { agentsUnderTest } from "./agents.ts";
import { isAgentMessage, optionOf, permissionRequest, turnEndOf } from "./event-search.ts";
import { bigText, slowText } from "./model-api/script.ts";
import { OpenedSession } from "./opened-session.ts";
import { INSTRUCTIONS, Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterEach((context) => stage.tellFailure(context));
afterAll(() => stage?.[Symbol.asyncDispose]());

for (const agent of agentsUnderTest) {
  describe(agent.id, () => {
    const open = (name: string, permissionPolicy: "allow_all" | "ask" = "ask") =>
      OpenedSession.open(stage.client, {
        sessionId: `${agent.id}-${name}`,
        agent: agent.id,
        permissionPolicy,
      });

    test("an answer is seen while it is spoken, and then stored once with the same words", async () => {
      await using session = await open("stream");
      const { promptId, message, stopReason } = await session.prompt("slow: 8 100");
      await session.until(turnEndOf(promptId));

      const stored = session.durableEvents.filter(isAgentMessage);
      const answer = session.events.filter(({ messageId }) => messageId === message?.id);
      const deltas = answer.slice(0, -1);
      expect(stopReason).toBe("end_turn");
      expect(deltas.length).toBeGreaterThan(1);
      expect(new Set(deltas.map(({ durability }) => durability))).toEqual(new Set(["ephemeral"]));
      expect(answer.at(-1)).toBe(stored.at(-1));
      // The last pieces may be overtaken by the commit of the whole.
      const whole = stored.map(textOf).at(-1) ?? "";
      expect(whole.startsWith(deltas.map(textOf).join(""))).toBe(true);
      expect(whole.endsWith(slowText(8))).toBe(true);
      expect(message?.content.map(({ text }) => text)).toEqual(stored.map(textOf));

      const { events } = await stage.client.api.sessions.history.query({ sessionId: session.id });
      expect(session.durableEvents).toEqual(events);
    });

    test("a long answer arrives whole", async () => {
      await using session = await open("long");
      const { message } = await session.prompt("big: 300000");
      expect(wordsOf({ message }).endsWith(bigText(300_000))).toBe(true);
    });

    test("a command waits for an operator's answer, and runs after it", async () => {
      await using session = await open("allowed");
      const { permissions, sessions } = stage.client.api;
      const made = join(stage.server.workspace, `${session.id}.txt`);
      const promptId = await session.submit(`ask: touch ${made}`);
      const request = await session.until(permissionRequest);

      const { requests } = await permissions.pending.query();
      expect(requests).toMatchObject([{ sessionId: session.id, requestId: request.requestId }]);
      const { state } = await sessions.get.query({ sessionId: session.id });
      expect(state.status).toBe("waiting");
      expect(existsSync(made)).toBe(false);

      const answer = {
        sessionId: session.id,
        requestId: request.requestId,
        digest: request.digest,
        optionId: optionOf(request, "allow_once"),
      };
      expect(await permissions.respond.mutate(answer)).toEqual({ status: "accepted" });
      expect(await session.ended(promptId)).toMatchObject({ stopReason: "end_turn" });

      expect(existsSync(made)).toBe(true);
      // Only a key may be masked, and none was spoken of.
      expect(JSON.stringify(session.durableEvents)).not.toContain("[redacted:");
      expect(await permissions.respond.mutate(answer)).toMatchObject({
        status: "not_pending",
        reason: "already_resolved",
      });
      expect(await session.until(turnEndOf(promptId))).toMatchObject({
        openToolCalls: [],
      });
    });

    test("two sessions of one agent run side by side, each with its own words", async () => {
      await using one = await open("left");
      await using other = await open("right");
      const prompts = [
        await one.submit(`${one.id} speaks\nslow: 10 50`),
        await other.submit(`${other.id} speaks\nhistory:`),
      ] as const;
      const [left, right] = await Promise.all([one.ended(prompts[0]), other.ended(prompts[1])]);
      expect(wordsOf(left)).toContain(slowText(10));
      expect(wordsOf(right)).toMatch(/history:$/);
      expect(JSON.stringify(one.events)).not.toContain(other.id);
      expect(JSON.stringify(other.events)).not.toContain(one.id);
    });

    test("a command that the operator refuses does not run", async () => {
      await using session = await open("refused");
      const made = join(stage.server.workspace, `${session.id}.txt`);
      const promptId = await session.submit(`ask: touch ${made}`);
      const request = await session.until(permissionRequest);
      await stage.client.api.permissions.respond.mutate({
        sessionId: session.id,
        requestId: request.requestId,
        optionId: optionOf(request, "reject_once"),
      });
      await session.ended(promptId);
      expect(existsSync(made)).toBe(false);
    });

    test("a session that allows everything asks nobody", async () => {
      await using session = await open("trusted", "allow_all");
      const made = join(stage.server.workspace, `${session.id}.txt`);
      await session.prompt(`ask: touch ${made}`);
      expect(existsSync(made)).toBe(true);
      const { events } = await stage.client.api.sessions.history.query({ sessionId: session.id });
      expect(events.filter(({ type }) => type.startsWith("permission_"))).toEqual([]);
    });

    test("a failure of the model's API fails the turn alone", async () => {
      await using session = await open("failure");
      await expect(session.prompt("fail: 400 out of order")).rejects.toMatchObject({
        code: "prompt_failed",
      });
      expect(await session.prompt("Say hello")).toMatchObject({ stopReason: "end_turn" });
    });

    test("the operator's instructions and the agent's own key reach the model", async () => {
      await using session = await open("instructions");
      await session.prompt(`${agent.id} reads its instructions`);
      const [asked, ...more] = stage.modelApi.exchangesAbout(`${agent.id} reads its instructions`);
      expect(more).toEqual([]);
      expect(asked?.apiKey).toBe(agent.key.value);
      expect(JSON.stringify(asked?.request)).toContain(INSTRUCTIONS);
      const { events } = await stage.client.api.sessions.history.query({ sessionId: session.id });
      expect(JSON.stringify(events)).not.toContain(INSTRUCTIONS);
    });
  });
}

/** What the agent said in the turn. */
function wordsOf({ message }: Pick<PromptResult, "message">): string {
  return message?.content.map(({ text }) => text).join("") ?? "";
}
