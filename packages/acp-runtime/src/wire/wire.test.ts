import { PassThrough } from "node:stream";
import { AppError, type JsonValue } from "@signalbox/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { AgentTransport } from "./agent-transport.ts";
import { openWire } from "./agent-wire.ts";
import { RpcError, WireClosedError } from "./rpc-error.ts";
import type { WireHandlers, WireNoise, WireRequest, WireUpdate } from "./wire.ts";

const signal = new AbortController().signal;
const update = (text: string): string =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"chunk","text":"${text}"}}}`;

/** A wire whose other end is in the test's hand, and everything that came through it in order. */
function rawWire(overrides: Partial<WireHandlers> = {}, maxLineBytes = 1_000_000) {
  const stdout = new PassThrough();
  const sent: string[] = [];
  let acceptsWrites: Promise<void> = Promise.resolve();
  const transport: AgentTransport = {
    stdout,
    write: async (line) => {
      sent.push(line);
      await acceptsWrites;
    },
    endInput: () => {},
    pid: null,
    exited: new Promise(() => {}),
    stderrTail: () => ({ text: "", truncated: false }),
    stop: () => new Promise(() => {}),
  };
  const updates: WireUpdate[] = [];
  const noise: WireNoise[] = [];
  const requests: WireRequest[] = [];
  const order: string[] = [];
  const errors: unknown[] = [];
  const wire = openWire(
    transport,
    {
      onUpdate: (seen) => {
        updates.push(seen);
        order.push(String(seen.update.text));
      },
      onNotification: (method) => order.push(method),
      onRequest: (request) => {
        requests.push(request);
        order.push(request.method);
      },
      onNoise: (seen) => noise.push(seen),
      onHandlerError: (error) => errors.push(error),
      ...overrides,
    },
    { maxLineBytes },
  );
  onTestFinished(() => wire.close());
  return {
    wire,
    stdout,
    sent,
    updates,
    noise,
    requests,
    order,
    errors,
    feed: (...lines: string[]) => stdout.write(lines.map((line) => `${line}\n`).join("")),
    blockWrites: (until: Promise<void>) => {
      acceptsWrites = until;
    },
    answers: () => sent.map((line): JsonValue => JSON.parse(line)),
  };
}

test("an update keeps its exact source text, kinds and fields nobody knows included", async () => {
  const raw = rawWire();
  const source = '{ "sessionUpdate":"_vendor/future","n":1.0,"big":9007199254740993,"10":1,"9":2 }';
  raw.feed(
    `{"jsonrpc":"2.0","method":"session/update","params":{"update":${source},"sessionId":"s"}}`,
  );
  await expect.poll(() => raw.updates).toHaveLength(1);
  expect(raw.updates[0]).toMatchObject({ agentSessionId: "s", raw: source });
});

test("an answer takes its place between the updates before and after it", async () => {
  const raw = rawWire();
  const answered = raw.wire.request(
    "session/prompt",
    {},
    { signal, onAnswer: () => raw.order.push("answer") },
  );
  raw.feed(
    update("one"),
    update("two"),
    '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}',
    update("late"),
  );
  expect(await answered).toEqual({ ok: true });
  expect(raw.order).toEqual(["one", "two", "answer", "late"]);
});

test("everything is handled in the order of the wire", async () => {
  const raw = rawWire();
  raw.feed(
    update("one"),
    '{"jsonrpc":"2.0","id":"x","method":"session/request_permission","params":{}}',
    update("two"),
    '{"jsonrpc":"2.0","method":"_vendor/note"}',
    update("three"),
  );
  await expect.poll(() => raw.order).toHaveLength(5);
  expect(raw.order).toEqual(["one", "session/request_permission", "two", "_vendor/note", "three"]);
});

test.each([
  '"abc"',
  '"0"',
  "0",
  "-1",
  "1.5",
  "null",
  "9007199254740993",
  '{"a":1.0}',
  "[1]",
  "true",
])("a request with the id %s is answered with exactly that id", async (id) => {
  const raw = rawWire();
  raw.feed(`{"jsonrpc":"2.0","id": ${id} ,"method":"m","params":[1]}`);
  await expect.poll(() => raw.requests).toHaveLength(1);
  const request = raw.requests[0];
  expect(request).toMatchObject({ id, method: "m", params: [1] });
  raw.wire.respond(id, { done: true });
  raw.wire.respond(id, { done: "twice" });
  await expect
    .poll(() => raw.sent)
    .toEqual([`{"jsonrpc":"2.0","id":${id},"result":{"done":true}}`]);
});

test("a permission request with an unknown option kind reaches its handler whole", async () => {
  const raw = rawWire();
  const line =
    '{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"options":[{"optionId":"o","name":"n","kind":"allow_until_moon"}],"extra":1.0}}';
  raw.feed(line);
  await expect.poll(() => raw.requests[0]?.rawLine).toBe(line);
});

test("a second request under an open id is refused and leaves the first alone", async () => {
  const raw = rawWire();
  raw.feed('{"jsonrpc":"2.0","id":7,"method":"a"}', '{"jsonrpc":"2.0","id":7,"method":"b"}');
  await expect.poll(raw.answers).toMatchObject([{ id: 7, error: { code: -32600 } }]);
  expect(raw.requests.map((request) => request.method)).toEqual(["a"]);
  raw.wire.respond("7", null);
  await expect.poll(() => raw.answers()[1]).toEqual({ jsonrpc: "2.0", id: 7, result: null });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("secret /home/u");
    },
  ],
  ["rejects", () => Promise.reject(new Error("secret /home/u"))],
])("a handler that %s answers -32603 and does not tell why", async (_how, onRequest) => {
  const raw = rawWire({ onRequest });
  raw.feed('{"jsonrpc":"2.0","id":1,"method":"a"}');
  await expect.poll(raw.answers).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  expect(raw.sent.join()).not.toContain("secret");
  expect(raw.errors).toHaveLength(1);
});

test("noise is isolated, counted and never answered", async () => {
  const raw = rawWire();
  raw.feed(
    "Downloading model…",
    "[1,2]",
    "3",
    "null",
    '{"hello":1}',
    '{"jsonrpc":"2.0","method":5,"id":1}',
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":1,"update":{}}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}',
    update("fine"),
  );
  await expect.poll(() => raw.order).toEqual(["fine"]);
  expect(raw.noise.map(({ kind }) => kind)).toEqual([
    "text",
    "malformed",
    "malformed",
    "malformed",
    "malformed",
    "malformed",
    "malformed",
    "response",
    "response",
  ]);
  expect(raw.wire.noiseCount).toBe(9);
  expect(raw.sent).toEqual([]);
});

test("only the first answer counts, and an id of another type is no answer", async () => {
  const raw = rawWire();
  const answered = raw.wire.request("a", {}, { signal });
  raw.feed(
    '{"jsonrpc":"2.0","id":"1","result":"text id"}',
    '{"jsonrpc":"2.0","id":1,"result":"first"}',
    '{"jsonrpc":"2.0","id":1,"result":"second"}',
  );
  expect(await answered).toBe("first");
  expect(raw.noise).toHaveLength(2);
});

test("an agent's error arrives with its code, message and data", async () => {
  const raw = rawWire();
  const failed = raw.wire.request("session/new", {}, { signal });
  raw.feed('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"log in","data":{"a":1}}}');
  const error = await failed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({
    method: "session/new",
    rpcCode: -32000,
    rpcMessage: "log in",
    rpcData: { a: 1 },
  });
});

test("an answer without an outcome is a protocol error, one with a null error is a result", async () => {
  const raw = rawWire();
  const empty = raw.wire.request("a", {}, { signal });
  raw.feed('{"jsonrpc":"2.0","id":1}');
  await expect(empty).rejects.toMatchObject({ code: "adapter_protocol_error" });
  const fine = raw.wire.request("b", {}, { signal });
  raw.feed('{"jsonrpc":"2.0","id":2,"result":null,"error":null}');
  expect(await fine).toBeNull();
});

test("a time-out names the limit; the answer that comes too late is no noise", async () => {
  const raw = rawWire();
  const late = raw.wire.request(
    "initialize",
    {},
    { signal, timeoutMs: 1, timeoutLimit: "limits.acp.startTimeoutMs" },
  );
  const error = await late.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: "adapter_timeout",
    details: { phase: "initialize", limit: "limits.acp.startTimeoutMs", max: 1 },
  });
  raw.feed('{"jsonrpc":"2.0","id":1,"result":{}}', update("after"));
  await expect.poll(() => raw.order).toEqual(["after"]);
  expect(raw.noise).toEqual([]);
});

test("an aborted request rejects with the reason and, if it still waited, is never sent", async () => {
  const raw = rawWire();
  let unblock = (): void => {};
  raw.blockWrites(
    new Promise((resolve) => {
      unblock = resolve;
    }),
  );
  raw.wire.notify("first", {});
  const abort = new AbortController();
  const aborted = raw.wire.request("second", {}, { signal: abort.signal });
  raw.wire.notify("third", {});
  raw.wire.notifyUrgent("session/cancel", { sessionId: "s" });
  abort.abort(new Error("changed my mind"));
  await expect(aborted).rejects.toThrow("changed my mind");
  unblock();
  await expect.poll(() => raw.sent).toHaveLength(3);
  expect(raw.answers()).toMatchObject([
    { method: "first" },
    { method: "session/cancel" },
    { method: "third" },
  ]);
  await expect(
    raw.wire.request("x", {}, { signal: AbortSignal.abort(new Error("early")) }),
  ).rejects.toThrow("early");
});

test("when the output ends, all waiting requests reject and a half line is noise", async () => {
  const raw = rawWire();
  const waiting = raw.wire.request("session/prompt", {}, { signal });
  raw.stdout.end(`${update("whole")}\n{"jsonrpc":"2.0","id":1,"result":{}}`);
  await expect(waiting).rejects.toBeInstanceOf(WireClosedError);
  await raw.wire.closed;
  expect(raw.order).toEqual(["whole"]);
  expect(raw.noise).toMatchObject([{ kind: "truncated" }]);
  expect(raw.wire.closeReason).toBeNull();
  await expect(raw.wire.request("later", {}, { signal })).rejects.toBeInstanceOf(WireClosedError);
  raw.wire.notify("later", {});
  raw.wire.close(new Error("second reason"));
  expect(raw.wire.closeReason).toBeNull();
});

test("a line over the limit closes the wire with the limit's name", async () => {
  const raw = rawWire({}, 100);
  const waiting = raw.wire.request("session/prompt", {}, { signal });
  raw.stdout.write("x".repeat(101));
  const error = await waiting.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    cause: {
      code: "limit_exceeded",
      details: { limit: "limits.acp.maxLineBytes", max: 100, actual: 101 },
    },
  });
  expect(raw.wire.closeReason).toMatchObject({ code: "limit_exceeded" });
  expect(raw.stdout.destroyed).toBe(true);
});

test("a failed write rejects its request", async () => {
  const raw = rawWire();
  raw.blockWrites(Promise.reject(new Error("EPIPE")));
  await expect(raw.wire.request("a", {}, { signal })).rejects.toMatchObject({
    name: "WireClosedError",
    cause: { message: "EPIPE" },
  });
});

test("a handler of updates that throws closes the wire instead of the server", async () => {
  const bug = new Error("bug");
  const raw = rawWire({
    onUpdate: () => {
      throw bug;
    },
  });
  raw.feed(update("one"), update("two"));
  await raw.wire.closed;
  expect(raw.wire.closeReason).toBe(bug);
});

test("while paused the pipe fills up and nothing is handed over", async () => {
  const raw = rawWire();
  raw.wire.pause();
  let written = 0;
  while (raw.feed(update(String(written)))) written += 1;
  await new Promise(setImmediate);
  expect(raw.order).toEqual([]);
  expect(raw.stdout.readableFlowing).toBe(false);
  raw.wire.resume();
  await expect.poll(() => raw.order).toHaveLength(written + 1);
});
