import { expect, test } from "vitest";
import { testRuntime } from "../testing/index.ts";
import { type Script, scriptedAgent } from "../testing/scripted-agent.ts";
import type { TestRuntime } from "../testing/test-runtime.ts";
import type { ExportFormat } from "./export.ts";

async function exported(ctx: TestRuntime, format: ExportFormat): Promise<string> {
  const { chunks } = await ctx.runtime.exportSession({ sessionId: "main", format });
  let whole = "";
  for await (const chunk of chunks) whole += chunk;
  return whole;
}

async function sessionWith(script: Script): Promise<TestRuntime> {
  const ctx = await testRuntime({ agent: scriptedAgent(script) });
  await ctx.open();
  await ctx.prompt("go");
  return ctx;
}

test("every event is a line, with the numbers and the order of keys that the agent sent", async () => {
  const update =
    '{"sessionUpdate":"odd","10":1.0,"2":12345678901234567890,"a":1e400,"z":-0,"__proto__":{"x":1},' +
    '"sequence":"native","_meta":{"v":0.10}}';
  await using ctx = await sessionWith(async (turn) => {
    await turn.updateText(update);
    return "end_turn";
  });
  const lines = (await exported(ctx, "jsonl")).trimEnd().split("\n");
  const events = await ctx.events();
  expect(lines).toHaveLength(events.length);
  expect(lines[1]).toContain(
    '"type":"odd","10":1.0,"2":12345678901234567890,"a":1e400,"z":-0,"__proto__":{"x":1},' +
      '"_meta":{"v":0.10,"signalbox/native":{"sequence":"native"}}}',
  );
  for (const [index, line] of lines.entries()) {
    expect(JSON.parse(line)).toMatchObject({
      durability: "durable",
      sessionId: "main",
      sequence: index + 1,
      type: events[index]?.type,
    });
  }
  expect(JSON.parse(lines[0] ?? "")).toEqual(events[0]);
});

test("a damaged row is a line like any other", async () => {
  await using ctx = await sessionWith(async () => "end_turn");
  await ctx.deps.db.write((sqlite) =>
    sqlite.exec("UPDATE Event SET fields = '{' WHERE sequence = 1"),
  );
  const [line = ""] = (await exported(ctx, "jsonl")).split("\n");
  expect(JSON.parse(line)).toMatchObject({ sequence: 1, _meta: { "signalbox/unreadable": "{" } });
});

test("nothing that was said is more than text in a transcript", async () => {
  const said = [
    "# heading",
    "```js",
    "<script>alert(1)</script>",
    "[link](javascript:alert(1)) ![x](http://evil.example/x.png)",
    "> quote",
    "- list",
    "1. one",
    "    indented",
    "| a | b |",
    "hidden\u202eword\u0007",
    "&amp;",
  ].join("\n");
  await using ctx = await sessionWith(async (turn) => {
    await turn.say(said);
    await turn.update({
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "a\n# b",
      status: "x",
    });
    return "end_turn";
  });
  const transcript = await exported(ctx, "markdown");
  expect(transcript).not.toMatch(/[<\u202e]|\p{Cc}(?<!\n)|^#+ (?!main)|^```|^- |^\d+\. |^\|/mu);
  expect(transcript).not.toMatch(/[^\\]\]\(|[^\\]!\[/);
  expect(transcript).toContain("> \\# heading\n> \\`\\`\\`js\n> &lt;script&gt;");
  expect(transcript).toContain("_Tool call: a \\# b \\[x\\]_");
  expect(transcript).toContain("**User**");
  expect(transcript).toContain("_Turn ended: end\\_turn_");
});

test("an export ends at the newest event of its beginning, and is read page by page", async () => {
  await using ctx = await sessionWith(async (turn) => {
    for (let n = 0; n < 2_500; n += 1) {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "t" });
    }
    return "end_turn";
  });
  const { chunks } = await ctx.runtime.exportSession({ sessionId: "main", format: "jsonl" });
  const sizes: number[] = [];
  for await (const chunk of chunks) {
    if (sizes.length === 0) await ctx.deps.db.write(() => undefined);
    if (sizes.length === 0)
      await ctx
        .submit("meanwhile")
        .then(({ promptId }) =>
          ctx.runtime.promptResult({ sessionId: "main", promptId }, new AbortController().signal),
        );
    sizes.push(chunk.trimEnd().split("\n").length);
  }
  expect(sizes).toEqual([1_000, 1_000, 502]);
});

test("an export whose rest is cut from history fails instead of leaving it out", async () => {
  await using ctx = await sessionWith(async (turn) => {
    for (let n = 0; n < 1_500; n += 1) {
      await turn.update({ sessionUpdate: "tool_call", toolCallId: `${n}`, title: "t" });
    }
    return "end_turn";
  });
  const { chunks } = await ctx.runtime.exportSession({ sessionId: "main", format: "jsonl" });
  await chunks.next();
  await ctx.deps.db.write((sqlite) =>
    sqlite.exec(
      "DELETE FROM Event WHERE sequence <= 1200; UPDATE Session SET oldestSequence = 1201;",
    ),
  );
  await expect(chunks.next()).rejects.toMatchObject({
    code: "history_cursor_expired",
    details: { oldestSequence: 1_201 },
  });
});

test("a server that stops begins no export", async () => {
  await using ctx = await sessionWith(async () => "end_turn");
  const closing = ctx.runtime.close({ graceMs: 0 });
  await expect(exported(ctx, "jsonl")).rejects.toMatchObject({ code: "server_draining" });
  await closing;
});
