/**
 * What is private comes out of an agent in every way that it has, and reaches nobody: the key it
 * was given, and its own name for the session.
 */
import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { agentsUnderTest } from "./agents.ts";
import { optionOf, permissionRequest } from "./event-search.ts";
import { OpenedSession } from "./opened-session.ts";
import { Stage } from "./stage.ts";

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

    /** Everything that was shown of the session, live and stored, and the server's log. */
    const shown = async ({ id, events }: OpenedSession) => {
      const history = await stage.client.api.sessions.history.query({ sessionId: id });
      return JSON.stringify([events, history, stage.server.stderr]);
    };

    test("a key spoken in pieces", async () => {
      await using session = await open("spoken");
      const { message } = await session.prompt("say: The key is {key}, is it not?");
      expect(JSON.stringify(message)).toContain(`The key is [redacted:${agent.key.name}], is it`);
      expect(await shown(session)).not.toContain(agent.key.value);
      const live = session.deltas.map(({ content }) => JSON.stringify(content)).join("");
      expect(live.replaceAll(/\W+/g, "")).not.toContain(agent.key.value.replaceAll(/\W+/g, ""));
    });

    test("a key in a command that asks for permission, and in what it prints", async () => {
      await using session = await open("command");
      const promptId = await session.submit("ask: touch key-was-{key} && ls");
      const request = await session.until(permissionRequest);
      const pending = await stage.client.api.permissions.pending.query();
      expect(JSON.stringify(pending)).not.toContain(agent.key.value);
      await stage.client.api.permissions.respond.mutate({
        sessionId: session.id,
        requestId: request.requestId,
        digest: request.digest,
        optionId: optionOf(request, "allow_once"),
      });
      await session.ended(promptId);
      const everything = await shown(session);
      expect(everything).toContain(`key-was-[redacted:${agent.key.name}]`);
      expect(everything).not.toContain(agent.key.value);
    });

    test("the id by which it knows the session stays its own", async () => {
      await using session = await open("private");
      await session.prompt("run: echo hello");
      const ids = ownSessionIds(stage.homeOf(agent));
      expect(ids.length).toBeGreaterThan(0);
      const everything = await shown(session);
      expect(ids.filter((id) => everything.includes(id))).toEqual([]);
    });

    test("a key in the error of a failed turn", async () => {
      await using session = await open("error");
      const error: unknown = await session
        .prompt("fail: 400 the key {key} is not valid")
        .catch((reason) => reason);
      expect(error).toMatchObject({ code: "prompt_failed" });
      const { message, details } = Object(error);
      expect(JSON.stringify([message, details])).not.toContain(agent.key.value);
      expect(await shown(session)).not.toContain(agent.key.value);
    });
  });
}

/** Both agents keep one record a session, in a file that ends in its id. */
function ownSessionIds(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" }).flatMap((file) => {
    const [, id] = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(file) ?? [];
    return id === undefined ? [] : [id];
  });
}
