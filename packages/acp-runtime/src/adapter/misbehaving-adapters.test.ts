/** What real processes do to a host, through the whole runtime; each test ends with none left. */
import { isJsonObject } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const NEVER = new AbortController().signal;

function child(mode: string, ...more: string[]): Promise<TestRuntime> {
  return testRuntime({
    agent: [mode, ...more],
    limits: {
      cancelGraceMs: 100,
      stopGraceMs: 200,
      maxLineBytes: 1024 * 1024,
      maxPromptBytes: 1024,
    },
  });
}

function spoken(events: Awaited<ReturnType<TestRuntime["events"]>>): string {
  return events
    .filter((event) => event.type === "agent_message_chunk")
    .map(({ content }) => (isJsonObject(content) ? String(content.text) : ""))
    .join("");
}

test("noise between the lines is neither answered nor stored", async () => {
  await using ctx = await child("noise");
  await ctx.open();
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  const types = new Set(await ctx.types());
  expect(types).toEqual(
    new Set(["user_message_chunk", "agent_message_chunk", "_signalbox/turn_ended"]),
  );
});

test("characters split at every byte arrive whole, as one message", async () => {
  await using ctx = await child("utf8split");
  await ctx.open();
  const { message } = await ctx.prompt("go");
  expect(message?.content).toHaveLength(1);
  expect(JSON.stringify(message?.content)).not.toContain("\ufffd");
  expect(spoken(await ctx.events())).toMatch(/[\u0080-\uffff]/);
});

test("an update of an unknown kind is kept as it came", async () => {
  await using ctx = await child("unknown-update");
  await ctx.open();
  await ctx.prompt("go");
  const known = ["user_message_chunk", "agent_message_chunk", "_signalbox/turn_ended"];
  const unknown = (await ctx.events()).filter((event) => !known.includes(event.type));
  expect(unknown.length).toBeGreaterThan(0);
});

test("an update from before the session's answer is in history, outside any turn", async () => {
  await using ctx = await child("early-updates");
  await ctx.open();
  await expect.poll(async () => (await ctx.events()).length).toBeGreaterThan(0);
  expect((await ctx.events())[0]?.promptId).toBeNull();
});

test("updates behind the answer, in one write with it, are outside the turn", async () => {
  await using ctx = await child("late-updates");
  await ctx.open();
  const { promptId } = await ctx.prompt("go");
  await ctx.runtime.unloadSession("main", OPERATOR);
  const events = await ctx.events();
  const late = events.filter((event) => event.promptId === null);
  expect(late.length).toBeGreaterThan(0);
  const inTurn = events.filter((event) => event.promptId === promptId);
  expect(inTurn.at(-1)?.type).toBe("_signalbox/turn_ended");
});

test("half a line and an exit fail the turn with the exit, and keep what was whole", async () => {
  await using ctx = await child("half-line");
  await ctx.open();
  await expect(ctx.prompt("go")).rejects.toMatchObject({ code: "adapter_exited" });
  expect((await ctx.types()).slice(-2)).toEqual([
    "_signalbox/adapter_exited",
    "_signalbox/turn_ended",
  ]);
});

test("a line over the limit fails the turn and names the limit", async () => {
  await using ctx = await child("long-line", String(2 * 1024 * 1024));
  await ctx.open();
  await expect(ctx.prompt("go")).rejects.toMatchObject({
    code: "limit_exceeded",
    details: { limit: "limits.acp.maxLineBytes", max: 1024 * 1024 },
  });
});

test("an agent that takes no hint is killed when its session is unloaded", async () => {
  for (const mode of ["ignore-sigterm", "eof-ignored", "setsid-grandchild", "group-grandchild"]) {
    await using ctx = await child(mode);
    await ctx.open();
    await ctx.prompt("go");
    await ctx.runtime.unloadSession("main", OPERATOR);
    expect((await ctx.runtime.getSession("main")).adapter, mode).toBe("unloaded");
  }
});

test("a prompt that is never answered ends by cancel all the same", async () => {
  await using ctx = await child("never-answers");
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await ctx.runtime.cancelPrompt({ sessionId: "main", promptId, wait: true }, OPERATOR, NEVER);
  const result = await ctx.runtime.promptResult({ sessionId: "main", promptId }, NEVER);
  expect(result).toMatchObject({ stopReason: "cancelled" });
});

test("an agent that closes its output and lives on is stopped and the turn fails", async () => {
  await using ctx = await child("close-stdout");
  await ctx.open();
  await expect(ctx.prompt("go")).rejects.toMatchObject({ code: "adapter_exited" });
});

test("an agent that floods its standard error works on, and the tail is bounded", async () => {
  await using ctx = await child("stderr-flood");
  await ctx.open();
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
});

test("an agent that ends at once explains itself", async () => {
  await using ctx = await child("exit-on-start");
  await expect(ctx.open()).rejects.toMatchObject({
    code: "adapter_spawn_failed",
    details: { phase: "initialize", exitCode: 7, stderrTail: expect.stringMatching(/\S/) },
  });
});
