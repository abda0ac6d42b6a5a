/** The server dies by SIGKILL with agents in the middle of an answer, and is started again. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { textOf } from "../support/session.ts";
import { agentsUnderTest } from "./agents.ts";
import { deltaWith, isAgentMessage } from "./event-search.ts";
import { userTurns } from "./model-api/conversation.ts";
import { OpenedSession } from "./opened-session.ts";
import { Stage } from "./stage.ts";

let stage: Stage;
const promptIds = new Map<string, string>();

beforeAll(async () => {
  stage = await Stage.start();
  for (const { id } of agentsUnderTest) {
    const session = await OpenedSession.open(stage.client, { sessionId: id, agent: id });
    await session.prompt(`${id} remembers the word gamma`);
    promptIds.set(id, await session.submit("slow: 600 50"));
    // Far enough on for a checkpoint of the open message, which is due within 250 ms.
    await session.until(deltaWith("chunk 12 "));
  }
  await stage.server.kill9();
  await stage.server.start();
});
afterEach((context) => stage.tellFailure(context));
afterAll(() => stage?.[Symbol.asyncDispose]());

for (const agent of agentsUnderTest) {
  const target = { sessionId: agent.id };

  test(`${agent.id}: nothing of it runs on once the server is ready again`, () => {
    expect(stage.processesOf(agent)).toEqual([]);
  });

  test(`${agent.id}: the turn is closed as uncertain and keeps what was said`, async () => {
    const { sessions } = stage.client.api;
    const promptId = promptIds.get(agent.id) ?? "";
    await expect(sessions.awaitPrompt.mutate({ ...target, promptId })).rejects.toMatchObject({
      code: "prompt_delivery_uncertain",
      details: { delivery: "uncertain" },
    });
    const { events } = await sessions.history.query(target);
    const spoken = events.filter((event) => event.promptId === promptId).filter(isAgentMessage);
    expect(spoken.map(textOf).join("")).toContain("chunk 1 chunk 2 ");
    expect(spoken.at(-1)?._meta).toMatchObject({ "signalbox/partial": true });
  });

  test(`${agent.id}: the session goes on with its context`, async () => {
    const words = `${agent.id} asks after the crash`;
    await expect(stage.client.prompt({ ...target, text: words })).resolves.toMatchObject({
      stopReason: "end_turn",
    });
    const [exchange] = stage.modelApi.exchangesAbout(words);
    expect(exchange && userTurns(exchange.request).join("\n")).toContain(
      `${agent.id} remembers the word gamma`,
    );
  });
}
