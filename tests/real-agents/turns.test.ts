/** What an operator sees of a turn, with agents that we did not write. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

      const deltas = session.deltas.filter(isAgentMessage);
      const stored = session.durableEvents.filter(isAgentMessage);
      expect(stopReason).toBe("end_turn");
      expect(deltas.length).toBeGreaterThan(1);
      expect(session.events.find(isAgentMessage)?.durability).toBe("ephemeral");
      expect(deltas.map(textOf).join("")).toBe(stored.map(textOf).join(""));
      expect(stored.map(textOf).join("").endsWith(slowText(8))).toBe(true);
      expect(message?.content.map(({ text }) => text)).toEqual(stored.map(textOf));

      const { events } = await stage.client.api.sessions.history.query({ sessionId: session.id });
      expect(session.durableEvents).toEqual(events);
    });

    test("a long answer arrives whole", async () => {
      await using session = await open("long");
      const { message } = await session.prompt("big: 300000");
      const text = message?.content.map((block) => block.text).join("") ?? "";
      expect(text.endsWith(bigText(300_000))).toBe(true);
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
      expect(await permissions.respond.mutate(answer)).toMatchObject({
        status: "not_pending",
        reason: "already_resolved",
      });
      expect(await session.until(turnEndOf(promptId))).toMatchObject({
        openToolCalls: [],
      });
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
      await expect(session.prompt("fail: 400")).rejects.toMatchObject({ code: "prompt_failed" });
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
