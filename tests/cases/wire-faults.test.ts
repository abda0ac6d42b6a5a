/** Faults that hosts of agents had with what stands on an agent's pipes. */
import { OPERATOR, scriptedAgent, testRuntime } from "@signalbox/acp-runtime/testing";
import { AppError } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { ofType, resultOf, spoken } from "./stage.ts";

test("control sequences, bare values, empty lines and CRLF endings harm nothing", async () => {
  const agent = scriptedAgent(async (turn) => {
    await turn.say("one ");
    for (const noise of ["\u001b[2J\u001b[1;31mhello", '"x"', "42", "[]", "{}", "", "loading…"]) {
      await turn.line(noise);
    }
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "two" } };
    const params = { sessionId: turn.sessionId, update };
    const frame = { jsonrpc: "2.0", method: "session/update", params };
    await turn.line(`${JSON.stringify(frame)}\r`);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.prompt("go");
  expect(await spoken(ctx)).toEqual([{ text: "one two", promptId }]);
});

test("a tool result of five megabytes is kept whole", async () => {
  const rawOutput = { text: "x".repeat(5 * 1024 * 1024) };
  const agent = scriptedAgent(async (turn) => {
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "a", rawOutput });
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  const [update] = await ofType(ctx, "tool_call_update");
  expect(update?.rawOutput).toEqual(rawOutput);
});

test("an answer that stands before a line over the limit counts", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      if (turn.text !== "go") return "end_turn";
      // One write: an answer to whichever request is open, and a line that is too long.
      const answers = [0, 1, 2, 3, 4].map(
        (id) => `{"jsonrpc":"2.0","id":${id},"result":{"stopReason":"end_turn"}}`,
      );
      await turn.line([...answers, "x".repeat(4096)].join("\n"));
      await turn.untilCancelled();
      return "cancelled";
    },
    { capabilities: { sessionCapabilities: { resume: {} } } },
  );
  await using ctx = await testRuntime({ agent, limits: { maxLineBytes: 2048 } });
  await ctx.open();
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
  await expect.poll(async () => (await ctx.runtime.getSession("main")).adapter).toBe("unloaded");
  expect((await ctx.prompt("again")).stopReason).toBe("end_turn");
});

test("a method that was not offered is refused to the agent by its JSON-RPC code", async () => {
  const answers: unknown[] = [];
  const agent = scriptedAgent(async (turn) => {
    for (const method of ["fs/read_text_file", "fs/write_text_file", "terminal/create", "x/y"]) {
      answers.push(await turn.requestRaw(method, { sessionId: turn.sessionId, path: "../secret" }));
    }
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  await ctx.prompt("go");
  expect(answers).toHaveLength(4);
  for (const answer of answers) expect(answer).toMatchObject({ error: { code: -32601 } });
});

test("an agent that lacks a setter fails that call alone", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const change = { sessionId: "main", configId: "model", value: "x" };
  const refused = ctx.runtime.setConfigOption(change, OPERATOR, new AbortController().signal);
  await expect(refused).rejects.toBeInstanceOf(AppError);
  await expect(refused).rejects.toMatchObject({ code: "config_rejected" });
  expect((await ctx.prompt("go")).stopReason).toBe("end_turn");
});

test("unknown kinds of updates, of content and of fields are kept and fail no turn", async () => {
  const odd = [
    { sessionUpdate: "made_up", nested: { "1": [null, { deep: true }] } },
    {
      sessionUpdate: "agent_message_chunk",
      content: { type: "hologram", data: [1] },
      _meta: { vendor: { a: 1 } },
    },
  ];
  const agent = scriptedAgent(async (turn) => {
    for (const update of odd) await turn.update(update);
    return "end_turn";
  });
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.prompt("go");
  expect(await ofType(ctx, "made_up")).toMatchObject([{ nested: odd[0]?.nested, promptId }]);
  expect(await ofType(ctx, "agent_message_chunk")).toMatchObject([
    { content: odd[1]?.content, _meta: { vendor: { a: 1 } }, promptId },
  ]);
});

test("events that come from everywhere at once have dense sequences", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      const many = Array.from({ length: 50 }, (_, n) => n);
      await Promise.all(
        many.flatMap((n) => [
          turn.say(`${n}`, `m${n}`),
          turn.update({ sessionUpdate: "tool_call", toolCallId: `t${n}`, title: "t" }),
          turn.update({ sessionUpdate: "current_mode_update", currentModeId: `${n}` }),
          turn.askPermission({ title: "t", toolCallId: `t${n}` }),
        ]),
      );
      return "end_turn";
    },
    { modes: { currentModeId: "a", availableModes: [] } },
  );
  await using ctx = await testRuntime({ agent });
  await ctx.open();
  const { promptId } = await ctx.submit("go");
  await resultOf(ctx, promptId);
  const sequences = (await ctx.events()).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(sequences.length).toBeGreaterThan(150);
});

test("a replay with a line over the limit falls to the next means, and the session lives on", async () => {
  const agent = scriptedAgent(
    async (turn) => {
      await turn.say(turn.text.slice(-5));
      return "end_turn";
    },
    {
      capabilities: { loadSession: true },
      onLoad: (replay) => replay.say("x".repeat(20_000)),
    },
  );
  await using ctx = await testRuntime({ agent, limits: { maxLineBytes: 8_192 } });
  await ctx.open();
  await ctx.prompt("first");
  await ctx.runtime.unloadSession("main", OPERATOR);
  expect((await ctx.prompt("again")).stopReason).toBe("end_turn");
  const [restored] = await ofType(ctx, "_signalbox/restored");
  expect(restored).toMatchObject({ mode: "continued" });
  expect(String(restored?.reason)).toContain("session/load");
});
