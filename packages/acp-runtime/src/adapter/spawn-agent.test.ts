import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isJsonObject } from "@signalbox/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AgentTransport, LaunchSpec } from "../wire/agent-transport.ts";
import { openWire } from "../wire/agent-wire.ts";
import type { WireNoise, WireUpdate } from "../wire/wire.ts";
import { countMarked, sweepMarked } from "./mark-sweep.ts";
import { spawnAgent } from "./spawn-agent.ts";

const FIXTURE = fileURLToPath(new URL("../testing/fixtures/child-agent.mjs", import.meta.url));
const signal = new AbortController().signal;
/** Long enough that no test waits it out; a test that needs the time over says so. */
const PATIENT_MS = 60_000;

/** Processes start slowly on a busy machine; no test waits for this long when it passes. */
const SOON = { timeout: 20_000 };
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let launches = 0;
function specOf(overrides: Partial<LaunchSpec> = {}): LaunchSpec {
  launches += 1;
  return {
    command: process.execPath,
    args: [],
    env: { PATH: process.env.PATH ?? "" },
    cwd: tmpdir(),
    mark: `spawn-test.${process.pid}.${launches}`,
    stderrTailBytes: 1024,
    ...overrides,
  };
}

/** Starts a mode of the fixture; when the test is over nothing of it may be left. */
async function start(
  mode: string,
  options: { argument?: number; maxLineBytes?: number; stderrTailBytes?: number } = {},
) {
  const stderr: string[] = [];
  const args = [
    FIXTURE,
    mode,
    ...(options.argument === undefined ? [] : [String(options.argument)]),
  ];
  const spec = specOf({
    args,
    onStderr: (text) => stderr.push(text),
    ...(options.stderrTailBytes === undefined ? {} : { stderrTailBytes: options.stderrTailBytes }),
  });
  const agent = await spawnAgent(spec, signal);
  const countLeft = (): Promise<number> => countMarked((mark) => mark === spec.mark);
  onTestFinished(async () => {
    await agent.stop({ graceMs: 0 });
    expect(await countLeft(), "processes left behind").toBe(0);
  });
  return { agent, stderr, countLeft, ...talkTo(agent, options.maxLineBytes ?? 1024 * 1024) };
}

function talkTo(agent: AgentTransport, maxLineBytes: number) {
  const updates: WireUpdate[] = [];
  const noise: WireNoise[] = [];
  const wire = openWire(
    agent,
    {
      onUpdate: (update) => updates.push(update),
      onNotification: () => {},
      onRequest: ({ id }) => wire.respondError(id, -32601, "Method not found"),
      onNoise: (seen) => noise.push(seen),
      onHandlerError: (error) => {
        throw error;
      },
    },
    { maxLineBytes },
  );
  const open = async (): Promise<void> => {
    await wire.request("initialize", { protocolVersion: 1 }, { signal });
    await wire.request("session/new", { cwd: tmpdir(), mcpServers: [] }, { signal });
  };
  const prompt = (onAnswer = (): void => {}) =>
    wire.request(
      "session/prompt",
      { sessionId: "child-session", prompt: [{ type: "text", text: "hi" }] },
      { signal, onAnswer },
    );
  const texts = (): unknown[] =>
    updates.map(({ update }) => (isJsonObject(update.content) ? update.content.text : undefined));
  return { wire, updates, noise, open, prompt, texts };
}

test("100 turns never miss an update", async () => {
  const child = await start("talk", { argument: 20 });
  await child.open();
  for (let turn = 1; turn <= 100; turn += 1) {
    let seen = 0;
    expect(
      await child.prompt(() => {
        seen = child.updates.length;
      }),
    ).toEqual({ stopReason: "end_turn" });
    expect(seen).toBe(20 * turn);
  }
  expect(await child.agent.stop({ graceMs: PATIENT_MS })).toEqual({ code: 0, signal: null });
});

test.each([0, 1, 20])(
  "all of %i updates before a crash arrive, then the exit",
  async (argument) => {
    const child = await start("crash", { argument });
    await child.open();
    await expect(child.prompt()).rejects.toMatchObject({ name: "WireClosedError" });
    expect(child.updates).toHaveLength(argument);
    expect(await child.agent.exited).toEqual({ code: 3, signal: null });
    expect(child.agent.stderrTail()).toEqual({ text: "about to crash\n", truncated: false });
  },
);

test("an exit before the first answer leaves its last words", async () => {
  const child = await start("exit-on-start");
  await expect(child.open()).rejects.toMatchObject({ name: "WireClosedError" });
  expect(await child.agent.exited).toEqual({ code: 7, signal: null });
  expect(child.agent.stderrTail().text).toBe("no licence found\n");
  expect(child.stderr.join("")).toBe("no licence found\n");
  await expect(child.agent.write("late")).rejects.toBeInstanceOf(Error);
});

test("noise between updates costs none of them", async () => {
  const child = await start("noise");
  await child.open();
  await child.prompt();
  expect(child.texts()).toEqual(["one", "two"]);
  expect(child.wire.noiseCount).toBe(7);
});

test("a message that arrives byte by byte is whole", async () => {
  const child = await start("utf8split");
  await child.open();
  await child.prompt();
  expect(child.texts()).toEqual(["aé€😀z"]);
});

test("an unknown update keeps its exact text", async () => {
  const child = await start("unknown-update");
  await child.open();
  await child.prompt();
  expect(child.updates[0]?.raw).toBe(
    '{"sessionUpdate":"_vendor/future", "b":1.0,"a":9007199254740993,"10":1,"9":2}',
  );
});

test("an update before the answer to session/new arrives before it", async () => {
  const child = await start("early-updates");
  await child.open();
  expect(child.texts()).toEqual(["early"]);
});

test("updates behind an answer in the same write come after it", async () => {
  const child = await start("late-updates");
  await child.open();
  let inTime = 0;
  await child.prompt(() => {
    inTime = child.updates.length;
  });
  expect(inTime).toBe(1);
  await expect.poll(child.texts, SOON).toEqual(["in time", "late one", "late two"]);
});

test("half a line before an exit is noise and no message", async () => {
  const child = await start("half-line");
  await child.open();
  await expect(child.prompt()).rejects.toMatchObject({ name: "WireClosedError" });
  expect(child.texts()).toEqual(["whole"]);
  expect(child.noise).toMatchObject([{ kind: "truncated" }]);
  expect(await child.agent.exited).toEqual({ code: 0, signal: null });
});

test("a line over the limit ends the wire, and the agent can be stopped", async () => {
  const child = await start("long-line", { maxLineBytes: 256 * 1024 });
  await child.open();
  await expect(child.prompt()).rejects.toMatchObject({ cause: { code: "limit_exceeded" } });
  await child.agent.stop({ graceMs: PATIENT_MS });
});

test("a long line within the limit passes", async () => {
  const child = await start("long-line", {
    argument: 8 * 1024 * 1024,
    maxLineBytes: 16 * 1024 * 1024,
  });
  await child.open();
  await child.prompt();
  expect(child.noise).toMatchObject([{ kind: "text" }]);
});

test("a flood on stderr blocks nothing and keeps its end", async () => {
  const child = await start("stderr-flood", { stderrTailBytes: 101 });
  await child.open();
  expect(await child.prompt()).toEqual({ stopReason: "end_turn" });
  await child.agent.stop({ graceMs: PATIENT_MS });
  const { text, truncated } = child.agent.stderrTail();
  expect(truncated).toBe(true);
  // 101 bytes would begin within a character; that one is left out.
  expect(text).toBe(`${"é".repeat(43)}the last words`);
  expect(child.stderr.join("")).not.toContain("\uFFFD");
});

test("an agent that ignores the end of stdin gets SIGTERM", async () => {
  const child = await start("eof-ignored");
  await child.open();
  expect(await child.agent.stop({ graceMs: 100 })).toEqual({ code: null, signal: "SIGTERM" });
});

test("an agent that ignores SIGTERM is killed", async () => {
  const child = await start("ignore-sigterm");
  await child.open();
  expect(await child.agent.stop({ graceMs: 100 })).toEqual({ code: null, signal: "SIGKILL" });
});

test.each([
  [
    "its signal is aborted",
    (agent: AgentTransport, abort: AbortController) => {
      abort.abort();
      return agent.exited;
    },
  ],
  ["another stop has no patience", (agent: AgentTransport) => agent.stop({ graceMs: 0 })],
])("a patient stop is cut short when %s", async (_when, hurry) => {
  const child = await start("ignore-sigterm");
  await child.open();
  const abort = new AbortController();
  const stopped = child.agent.stop({ graceMs: PATIENT_MS, signal: abort.signal });
  await hurry(child.agent, abort);
  expect(await stopped).toEqual({ code: null, signal: "SIGKILL" });
});

test("stopping twice, also after the end, gives the same exit", async () => {
  const child = await start("talk");
  await child.open();
  const both = [
    child.agent.stop({ graceMs: PATIENT_MS }),
    child.agent.stop({ graceMs: PATIENT_MS }),
  ];
  expect(await Promise.all(both)).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
  expect(await child.agent.stop({ graceMs: PATIENT_MS })).toEqual({ code: 0, signal: null });
});

test.each(["setsid-grandchild", "group-grandchild"])("%s: a stop leaves nobody", async (mode) => {
  const child = await start(mode);
  await child.open();
  await child.prompt();
  await expect.poll(() => child.noise, SOON).toMatchObject([{ text: "sleeper is ready" }]);
  expect(await child.countLeft()).toBe(2);
  await child.agent.stop({ graceMs: 200 });
  expect(await child.countLeft()).toBe(0);
});

test.each(["setsid-grandchild", "group-grandchild"])(
  "%s: a crash of the leader alone ends the rest too, though it holds stdout",
  async (mode) => {
    const child = await start(mode);
    await child.open();
    await child.prompt();
    await expect.poll(() => child.noise, SOON).toHaveLength(1);
    const waiting = child.wire.request("_test/unanswered", {}, { signal });
    process.kill(child.agent.pid ?? 0, "SIGKILL");
    await expect(waiting).rejects.toMatchObject({ name: "WireClosedError" });
    expect(await child.agent.exited).toEqual({ code: null, signal: "SIGKILL" });
    await child.agent.stop({ graceMs: PATIENT_MS });
    expect(await child.countLeft()).toBe(0);
  },
);

test("an agent that closed its stdin fails writes and nothing else", async () => {
  const child = await start("close-stdin");
  await child.open();
  await expect
    .poll(
      () =>
        child.agent.write("x").then(
          () => "written",
          () => "refused",
        ),
      SOON,
    )
    .toBe("refused");
  await expect(child.prompt()).rejects.toMatchObject({ name: "WireClosedError" });
  await child.agent.stop({ graceMs: 100 });
});

test("an agent that closed its stdout closes the wire while it lives", async () => {
  const child = await start("close-stdout");
  await child.open();
  await expect(child.prompt()).rejects.toMatchObject({ name: "WireClosedError" });
  expect(await child.countLeft()).toBe(1);
  await child.agent.stop({ graceMs: 100 });
});

test("what a dead agent said is read even while the reader is paused", async () => {
  const child = await start("crash", { argument: 50 });
  await child.open();
  const ended = child.prompt().catch(() => "closed");
  child.wire.pause();
  await expect.poll(() => child.agent.stderrTail().text, SOON).toBe("about to crash\n");
  child.wire.resume();
  expect(await ended).toBe("closed");
  expect(child.updates).toHaveLength(50);
});

test("only the given environment and the mark reach the agent", async () => {
  const seen: string[] = [];
  const spec = specOf({
    args: ["-e", "console.error(JSON.stringify(process.env))"],
    env: { GIVEN: "1" },
    onStderr: (text) => seen.push(text),
  });
  const agent = await spawnAgent(spec, signal);
  agent.stdout.resume();
  await agent.stop({ graceMs: PATIENT_MS });
  expect(JSON.parse(seen.join(""))).toEqual({ GIVEN: "1", SIGNALBOX_MARK: spec.mark });
});

test("a missing command, a file that is not executable and a missing folder fail with the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spawn-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "agent");
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o644);
  const details = { phase: "spawn", exitCode: null, signal: null, stderrTail: "" };
  const failures: [Partial<LaunchSpec>, string][] = [
    [{ command: "/nonexistent/agent" }, "ENOENT"],
    [{ command: file }, "EACCES"],
    [{ cwd: join(folder, "missing") }, "ENOENT"],
    [{ args: ["x".repeat(4 * 1024 * 1024)] }, "E2BIG"],
    [{ args: ["\0"] }, "ERR_INVALID_ARG_VALUE"],
  ];
  for (const [overrides, reason] of failures) {
    await expect(spawnAgent(specOf(overrides), signal)).rejects.toMatchObject({
      code: "adapter_spawn_failed",
      message: expect.stringContaining(reason),
      details,
    });
  }
});

test("a server out of file descriptors gets an error and goes on", async () => {
  const module = new URL("./spawn-agent.ts", import.meta.url).href;
  const script = `import { openSync, closeSync } from "node:fs";
    import { spawnAgent } from ${JSON.stringify(module)};
    const spec = { command: process.execPath, args: ["-e", ""], env: {}, cwd: "/", mark: "", stderrTailBytes: 0 };
    const launch = () => spawnAgent(spec, new AbortController().signal);
    const files = [];
    try { for (;;) files.push(openSync("/dev/null")); } catch {}
    const failure = await launch().catch((error) => error);
    for (const file of files) closeSync(file);
    const agent = await launch();
    agent.stdout.resume();
    const exit = await agent.exited;
    console.log(JSON.stringify([failure.code, failure.message.split(": ").at(-1), exit.code]));
    process.exit(0);`;
  const node = `exec "$0" --import ${JSON.stringify(import.meta.resolve("tsx"))} --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    `ulimit -n 512; ${node}`,
    process.execPath,
    script,
  ]);
  expect(JSON.parse(stdout)).toEqual(["adapter_spawn_failed", "EMFILE", 0]);
});

test("a launch that was cancelled before starts nothing", async () => {
  const spec = specOf({ args: [FIXTURE, "talk"] });
  await expect(spawnAgent(spec, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
    "stopped",
  );
  expect(await sweepMarked((mark) => mark === spec.mark)).toEqual([]);
});
