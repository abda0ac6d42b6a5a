/** How turns, adapters and sessions of real agents end, and what comes back. */
import { OWN_EVENT } from "@signalbox/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../support/session.ts";
import { agentsUnderTest } from "./agents.ts";
import {
  deltaWith,
  isAgentMessage,
  optionOf,
  permissionRequest,
  restoration,
} from "./event-search.ts";
import { userTurns } from "./model-api/conversation.ts";
import { OpenedSession } from "./opened-session.ts";
import { descendantsOf } from "./process-table.ts";
import { Stage } from "./stage.ts";

/** A command that only a signal ends; its number is what tells it in a process list. */
const ENDLESS = `node -e 'setTimeout(() => {}, 987654321)'`;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
});
afterEach((context) => stage.tellFailure(context));
afterAll(() => stage?.[Symbol.asyncDispose]());

for (const agent of agentsUnderTest) {
  describe(agent.id, () => {
    const open = (name: string) =>
      OpenedSession.open(stage.client, {
        sessionId: `${agent.id}-${name}`,
        agent: agent.id,
        permissionPolicy: "ask",
      });

    const commands = () => stage.processesOf(agent).map(({ command }) => command);

    /** The words of the user that the model was sent with the prompt that contains these. */
    const contextOf = (words: string) => {
      const [exchange] = stage.modelApi.exchangesAbout(words);
      return exchange ? userTurns(exchange.request).join("\n") : null;
    };

    test("the prompt after a cancel gets its own answer, without an unload between", async () => {
      const { sessions } = stage.client.api;
      await using session = await open("cancelled");
      const target = { sessionId: session.id };
      const promptId = await session.submit("slow: 600 50");
      await session.until(deltaWith("chunk 3 "));
      await sessions.cancelPrompt.mutate({ ...target, promptId, wait: true });
      const { message } = await session.prompt("slow: 3 1");
      expect(JSON.stringify(message?.content)).toContain("chunk 1 chunk 2 chunk 3");
      expect(JSON.stringify(message?.content)).not.toContain("chunk 4 ");
    });

    test("a cancelled answer keeps its words, and after an unload the context comes back", async () => {
      const { sessions } = stage.client.api;
      await using session = await open("restored");
      const target = { sessionId: session.id };
      await session.prompt(`${agent.id} remembers the word alpha`);

      const promptId = await session.submit("slow: 600 50");
      await session.until(deltaWith("chunk 3 "));
      const cancelled = await sessions.cancelPrompt.mutate({ ...target, promptId, wait: true });
      expect(cancelled).toEqual({ status: "cancelled" });
      expect(await session.ended(promptId)).toMatchObject({ stopReason: "cancelled" });
      await expect
        .poll(() => stage.modelApi.exchangesAbout("slow: 600 50").at(-1)?.ending)
        .toBe("hung_up");
      const { events } = await sessions.history.query(target);
      const spoken = events.filter((event) => event.promptId === promptId).filter(isAgentMessage);
      expect(spoken.map(textOf).join("")).toContain("chunk 1 chunk 2 chunk 3 ");
      expect(spoken.at(-1)?._meta).toMatchObject({ "signalbox/partial": true });

      await sessions.unload.mutate(target);
      expect(commands()).toEqual([]);
      expect(await sessions.get.query(target)).toMatchObject({ adapter: "unloaded" });

      await session.prompt(`${agent.id} asks again`);
      expect(contextOf(`${agent.id} asks again`)).toContain(`${agent.id} remembers the word alpha`);
      expect(await session.until(restoration)).toMatchObject({ mode: "resumed" });
      const after = await sessions.history.query({ ...target, types: ["user_message_chunk"] });
      expect(after.events.map(textOf)).toEqual([
        `${agent.id} remembers the word alpha`,
        "slow: 600 50",
        `${agent.id} asks again`,
      ]);
    });

    test("a mode that was chosen is in force again after an unload", async () => {
      const { sessions } = stage.client.api;
      await using session = await open("mode");
      const target = { sessionId: session.id };
      const { value, words } = agent.readOnlyMode;
      const toldModel = (prompt: string) =>
        stage.modelApi.exchangesAbout(prompt).at(-1)?.request.system.includes(words);

      await session.prompt(`${agent.id} before the mode`);
      expect(toldModel(`${agent.id} before the mode`)).toBe(false);
      await sessions.setConfigOption.mutate({ ...target, configId: "mode", value });
      await sessions.unload.mutate(target);
      await session.prompt(`${agent.id} after the mode`);
      expect(toldModel(`${agent.id} after the mode`)).toBe(true);

      const { options } = await sessions.config.query(target);
      expect(options.find(({ id }) => id === "mode")).toMatchObject({ currentValue: value });
      const refused = session.events.filter(({ type }) => type === OWN_EVENT.configRefused);
      expect(refused).toEqual([]);
    });

    test("an adapter that is killed is told of, and its session goes on with the next prompt", async () => {
      await using session = await open("killed");
      await session.prompt(`${agent.id} remembers the word beta`);
      const adapter = stage
        .processesOf(agent)
        .find(({ parentPid }) => parentPid === stage.server.pid);
      const promptId = await session.submit("slow: 600 50");
      await session.until(deltaWith("chunk 1 "));
      process.kill(adapter?.pid ?? Number.NaN, "SIGKILL");

      await expect(session.ended(promptId)).rejects.toMatchObject({ code: "adapter_exited" });
      await session.until(({ type }) => (type === OWN_EVENT.adapterExited ? true : undefined));
      expect(await session.prompt(`${agent.id} asks after the crash`)).toMatchObject({
        stopReason: "end_turn",
      });
      expect(contextOf(`${agent.id} asks after the crash`)).toContain(
        `${agent.id} remembers the word beta`,
      );
    });

    test("an unload takes back what the agent was asking, and a late answer is told so", async () => {
      const { permissions, sessions } = stage.client.api;
      await using session = await open("asking");
      const promptId = await session.submit("ask: touch never-made.txt");
      const request = await session.until(permissionRequest);
      await sessions.unload.mutate({ sessionId: session.id });

      expect(commands()).toEqual([]);
      expect(await session.ended(promptId)).toMatchObject({ stopReason: "cancelled" });
      const late = await permissions.respond.mutate({
        sessionId: session.id,
        requestId: request.requestId,
        optionId: optionOf(request, "allow_once"),
      });
      expect(late).toMatchObject({ status: "not_pending", reason: "session_unloaded" });
    });

    test("a deleted session leaves no process, even of a command that outlives its agent", async () => {
      const { permissions, sessions } = stage.client.api;
      const before = descendantsOf(stage.server.pid);
      const session = await open("deleted");
      const promptId = await session.submit(`ask: ${ENDLESS}`);
      const request = await session.until(permissionRequest);
      await permissions.respond.mutate({
        sessionId: session.id,
        requestId: request.requestId,
        optionId: optionOf(request, "allow_once"),
      });
      await expect.poll(() => commands().join("\n"), { timeout: 20_000 }).toContain("987654321");
      expect(stage.processesOf(agent).filter(({ mark }) => mark === null)).toEqual([]);
      await sessions.cancelPrompt.mutate({ sessionId: session.id, promptId, wait: true });

      expect(await session.delete()).toBe("session_not_found");
      expect(commands()).toEqual([]);
      await expect(sessions.get.query({ sessionId: session.id })).rejects.toMatchObject({
        code: "session_not_found",
      });
      expect(descendantsOf(stage.server.pid)).toEqual(before);
    });
  });
}

test("an ordered stop ends running agents with the server, and its exit code is 0", async () => {
  await using own = await Stage.start();
  const sessions = await Promise.all(
    agentsUnderTest.map(({ id }) =>
      OpenedSession.open(own.client, { sessionId: id, agent: id, permissionPolicy: "ask" }),
    ),
  );
  for (const session of sessions) {
    await session.submit("slow: 600 50");
    await session.until(deltaWith("chunk 2 "));
  }
  expect(await own.server.term()).toEqual({ code: 0, signal: null });
  expect(agentsUnderTest.flatMap((agent) => own.processesOf(agent))).toEqual([]);
});
