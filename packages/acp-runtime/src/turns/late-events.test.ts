/** Whatever comes of a turn after its end is no part of it any more. */
import { checkInvariants, type Database } from "@signalbox/db";
import type { DurableEvent, JsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent } from "../testing/index.ts";
import { answer, link, theQuestion } from "../testing/questions.ts";
import { OPERATOR, type TestRuntime, testRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

async function eventOf(ctx: TestRuntime, type: string): Promise<DurableEvent | undefined> {
  expect(await ctx.deps.db.read((sqlite) => checkInvariants(sqlite))).toEqual([]);
  return (await ctx.events()).find((event) => event.type === type);
}

/** Writes wait, in their order, while they are held. */
function slowDisk() {
  let waiting: (() => void)[] = [];
  let isHeld = false;
  return {
    get waiting() {
      return waiting.length;
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const go of waiting) go();
      waiting = [];
    },
    throughDb: (db: Database): Database => {
      const write: Database["write"] = async (fn) => {
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        return db.write(fn);
      };
      return Object.create(db, { write: { value: write } }) as Database;
    },
  };
}

test("a restore that outlives the turn that wanted it is outside that turn", async () => {
  let release = (_answer: JsonObject): void => undefined;
  const gate = new Promise<JsonObject>((resolve) => {
    release = resolve;
  });
  const agent = scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { resume: {} } },
    configOptions: [
      { id: "model", name: "Model", type: "select", currentValue: "a", options: [{ value: "a" }] },
    ],
    handle: { "session/resume": () => gate },
  });
  const disk = slowDisk();
  await using ctx = await testRuntime({ agent, throughDb: disk.throughDb });
  await ctx.open();
  await ctx.runtime.unloadSession("main", OPERATOR);
  const { promptId } = await ctx.submit("go");
  await agent.called("session/resume");
  const change = { sessionId: "main", configId: "model", value: "a" };
  const changed = ctx.runtime.setConfigOption(change, OPERATOR, NEVER);
  // It waits for the same start from here on.
  await expect.poll(async () => (await ctx.runtime.getSession("main")).adapter).toBe("starting");
  await new Promise(setImmediate);
  disk.hold();
  const target = { sessionId: "main", promptId, wait: false };
  const cancelled = ctx.runtime.cancelPrompt(target, OPERATOR, NEVER);
  // The end of its requests and its own end stand before the restore, which comes last.
  await expect.poll(() => disk.waiting).toBe(2);
  release({});
  await expect.poll(() => disk.waiting).toBe(3);
  disk.release();
  expect(await cancelled).toEqual({ status: "cancelled" });
  await changed;
  expect(await eventOf(ctx, "_signalbox/restored")).toMatchObject({ promptId: null });
});

test("a request over the limit is refused within its turn, however soon that ends", async () => {
  const agent = scriptedAgent(async (turn) => {
    for (const toolCallId of ["a", "b"]) {
      void turn.askPermission({ title: "May I?", toolCallId }).catch(() => undefined);
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent, limits: { maxPendingPermissionsPerSession: 1 } });
  await ctx.open({ permissionPolicy: "ask" });
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  const refusal = { promptId: expect.any(String), toolCallId: "b" };
  expect(await eventOf(ctx, "_signalbox/permission_unsatisfied")).toMatchObject(refusal);
});

test("a link that is done after the turn it was shown in is done outside it", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.requestRaw("elicitation/create", link(turn, "first"));
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await answer(ctx, await theQuestion(ctx), "accept");
  await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  const voice = agent.voice(String(agent.sessionIds[0]));
  await voice.notifyRaw("elicitation/complete", { elicitationId: "first" });
  await expect.poll(() => ctx.types()).toContain("_signalbox/question_completed");
  expect(await eventOf(ctx, "_signalbox/question_completed")).toMatchObject({ promptId: null });
});
