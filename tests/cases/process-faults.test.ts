/** Faults that hosts of agents had with the processes they start. */
import fs from "node:fs";
import {
  countMarked,
  OPERATOR,
  scriptedAgent,
  type TestRuntime,
  testRuntime,
} from "@signalbox/acp-runtime/testing";
import { expect, test } from "vitest";

import { ofType, spoken } from "./stage.ts";

const alive = (ctx: TestRuntime) =>
  countMarked((mark) => mark.startsWith(`${ctx.deps.markPrefix}.`));

const openFiles = (): number => fs.readdirSync("/proc/self/fd").length;

test("of ten sessions whose agents start processes of their own, none is left by an unload", async () => {
  await using ctx = await testRuntime({
    agent: ["setsid-grandchild"],
    limits: { stopGraceMs: 200 },
  });
  const ids = Array.from({ length: 10 }, (_, n) => `session-${n}`);
  for (const sessionId of ids) {
    await ctx.open({ sessionId });
    await ctx.prompt("go", { sessionId });
  }
  expect(await alive(ctx)).toBe(20);
  await Promise.all(ids.map((sessionId) => ctx.runtime.unloadSession(sessionId, OPERATOR)));
  expect(await alive(ctx)).toBe(0);
  for (const sessionId of ids) {
    expect((await ctx.types(sessionId)).at(-1)).toBe("_signalbox/turn_ended");
  }
});

test("an agent behind a launcher that passes no signal on is gone after an unload", async () => {
  await using ctx = await testRuntime({ agent: ["wrapped"], limits: { stopGraceMs: 200 } });
  await ctx.open();
  await ctx.prompt("go");
  expect(await alive(ctx)).toBe(2);
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect(await alive(ctx)).toBe(0);
});

test("an agent may finish its work when its input ends, and its last words are history", async () => {
  await using ctx = await testRuntime({ agent: ["last-words"], limits: { stopGraceMs: 20_000 } });
  await ctx.open();
  await ctx.prompt("go");
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await spoken(ctx)).at(-1)).toEqual({ text: "last words", promptId: null });
  expect(await ofType(ctx, "_signalbox/adapter_exited")).toEqual([]);
});

test("two hundred sessions that came and went leave no file open and no adapter behind", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  const round = async (sessionId: string) => {
    await ctx.open({ sessionId });
    await ctx.prompt("go", { sessionId });
    await ctx.runtime.deleteSession(sessionId, OPERATOR);
  };
  await round("warm-up");
  const files = openFiles();
  for (let n = 0; n < 200; n += 1) await round(`session-${n}`);
  expect(openFiles()).toBeLessThanOrEqual(files + 2);
  expect(agent.running).toBe(0);
  expect(ctx.deps.adapters.count).toBe(0);
  expect((await ctx.runtime.info()).counts.sessions).toBe(0);
});

test("twenty agents in processes of their own that came and went leave no file open", async () => {
  await using ctx = await testRuntime({ agent: ["talk", "1"] });
  const round = async (sessionId: string) => {
    await ctx.open({ sessionId });
    await ctx.prompt("go", { sessionId });
    await ctx.runtime.deleteSession(sessionId, OPERATOR);
  };
  await round("warm-up");
  const files = openFiles();
  for (let n = 0; n < 20; n += 1) await round(`session-${n}`);
  expect(openFiles()).toBeLessThanOrEqual(files + 2);
  expect(await alive(ctx)).toBe(0);
});
