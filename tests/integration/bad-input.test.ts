import path from "node:path";
import type { SignalboxClient } from "@signalbox/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawHttp, socketAnswers } from "../support/raw-calls.ts";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { openSession } from "../support/session.ts";

const MAX_PROMPT_BYTES = 10_000;

let server: ServerProcess;
let client: SignalboxClient;

beforeAll(async () => {
  server = await ServerProcess.start({
    agents: { broken: childAgent("exit-on-start"), missing: { command: "no-such-agent-here" } },
    limits: { maxPromptBytes: MAX_PROMPT_BYTES, maxPromptBlocks: 3 },
  });
  client = await server.connect();
  await openSession(client, "main");
});
afterAll(() => server[Symbol.asyncDispose]());

/** Posts to a procedure with all scopes; what the typed client would not compile. */
async function post(procedure: string, input: unknown) {
  const authorization = `Bearer ${await server.adminToken()}`;
  const body = typeof input === "string" ? input : JSON.stringify(input);
  return rawHttp(`${server.url}/trpc/${procedure}`, { headers: { authorization }, body });
}

function failure(appCode: string, httpStatus: number, details: unknown = expect.anything()) {
  const data = { appCode, details, retryable: false, httpStatus };
  return { error: { message: expect.any(String), data } };
}

describe("opening a session", () => {
  test.each([
    ["an unknown agent", { agent: "nobody" }, "unknown_agent", 404],
    ["a relative cwd", { agent: "demo", cwd: "sub/dir" }, "invalid_cwd", 400],
    ["a cwd outside the roots", { agent: "demo", cwd: "/etc" }, "invalid_cwd", 400],
    ["an unknown field", { agent: "demo", command: "rm" }, "bad_request", 400],
    ["no agent", {}, "bad_request", 400],
    ["an unknown policy", { agent: "demo", permissionPolicy: "maybe" }, "bad_request", 400],
    ["an empty id", { agent: "demo", sessionId: "" }, "invalid_session_id", 400],
    [
      "an id with a control character",
      { agent: "demo", sessionId: "a\nb" },
      "invalid_session_id",
      400,
    ],
    [
      "an id that is too long",
      { agent: "demo", sessionId: "x".repeat(257) },
      "invalid_session_id",
      400,
    ],
    ["a malformed env name", { agent: "demo", env: { "1A": "x" } }, "invalid_env", 400],
    [
      "an MCP server without a command",
      { agent: "demo", mcpServers: [{ name: "x" }] },
      "invalid_mcp_server",
      400,
    ],
  ])("with %s is refused and leaves nothing", async (_name, input, code, status) => {
    const answer = await post("sessions.open", { sessionId: "bad", ...input });
    expect(answer.json).toEqual({ error: expect.objectContaining(failure(code, status).error) });
    expect(answer.status).toBe(status);
    await expect(client.api.sessions.get.query({ sessionId: "bad" })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("in a missing folder names the field", async () => {
    const cwd = path.join(server.workspace, "missing");
    const answer = await post("sessions.open", { sessionId: "bad", agent: "demo", cwd });
    expect(answer.json).toMatchObject(
      failure("cwd_missing", 400, expect.objectContaining({ field: "cwd" })),
    );
  });

  test("an unknown field is named", async () => {
    const answer = await post("sessions.open", { agent: "demo", command: "rm" });
    expect(answer.json).toMatchObject(
      failure("bad_request", 400, expect.objectContaining({ field: "command" })),
    );
  });

  test("with an agent that ends at once tells how it ended and leaves nothing", async () => {
    await expect(openSession(client, "bad", { agent: "broken" })).rejects.toMatchObject({
      code: "adapter_spawn_failed",
      httpStatus: 502,
      details: { exitCode: 7, signal: null, stderrTail: expect.stringContaining("no licence") },
    });
    await expect(openSession(client, "bad", { agent: "missing" })).rejects.toMatchObject({
      code: "adapter_spawn_failed",
    });
    await expect(client.api.sessions.get.query({ sessionId: "bad" })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("again with another identity is a conflict, with the same is not", async () => {
    await openSession(client, "main");
    await expect(openSession(client, "main", { permissionPolicy: "ask" })).rejects.toMatchObject({
      code: "session_conflict",
      httpStatus: 409,
    });
  });
});

describe("prompting", () => {
  const block = (text: string) => ({ type: "text", text });

  test.each([
    [
      "an unknown session",
      { sessionId: "nobody", content: [block("x")] },
      "session_not_found",
      404,
    ],
    ["no blocks", { content: [] }, "bad_request", 400],
    ["no content", {}, "bad_request", 400],
    ["a block that is none", { content: [{ type: "text" }] }, "invalid_content_block", 400],
    ["a block of no kind", { content: [42] }, "invalid_content_block", 400],
    ["an unknown field", { content: [block("x")], wait: true }, "bad_request", 400],
    ["an empty key", { content: [block("x")], idempotencyKey: "" }, "invalid_idempotency_key", 400],
  ])("with %s is refused", async (_name, input, code, status) => {
    const answer = await post("sessions.submitPrompt", input);
    expect(answer.json).toMatchObject(failure(code, status));
    expect(answer.status).toBe(status);
  });

  test.each([
    ["limits.acp.maxPromptBytes", MAX_PROMPT_BYTES, [block("x".repeat(2 * MAX_PROMPT_BYTES))]],
    ["limits.acp.maxPromptBlocks", 3, Array.from({ length: 4 }, () => block("x"))],
  ])("over %s names the limit", async (limit, max, content) => {
    const answer = await post("sessions.submitPrompt", { content });
    const details = { limit, max, actual: expect.any(Number) };
    expect(answer.json).toMatchObject(failure("prompt_too_large", 413, details));
    expect(answer.status).toBe(413);
  });

  test("with a body that no limit allows is refused, too", async () => {
    const content = [block("x".repeat(2 * 1024 * 1024))];
    const answer = await post("sessions.submitPrompt", { content });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ error: { data: { appCode: "prompt_too_large" } } });
  });

  test("with a refused prompt binds no key and leaves no event", async () => {
    const before = await client.api.sessions.get.query({});
    const input = { content: [], idempotencyKey: "unbound" };
    expect((await post("sessions.submitPrompt", input)).status).toBe(400);
    expect(await client.api.sessions.get.query({})).toEqual(before);
    const sent = { content: [block("hi")], idempotencyKey: "unbound" };
    expect(await client.api.sessions.submitPrompt.mutate(sent)).toMatchObject({ repeated: false });
    await client.prompt(sent);
  });
});

describe("asking", () => {
  test.each([
    ["sessions.awaitPrompt", { promptId: "nobody" }, "prompt_not_found", 404],
    ["sessions.awaitPrompt", { promptId: "x", waitMs: 240_001 }, "bad_request", 400],
    ["sessions.cancelPrompt", { promptId: "nobody" }, "prompt_not_found", 404],
    ["sessions.cancelPrompt", { sessionId: "nobody" }, "session_not_found", 404],
    ["sessions.unload", { sessionId: "nobody" }, "session_not_found", 404],
    ["sessions.setConfigOption", { configId: "nothing", value: "x" }, "config_rejected", 422],
    ["sessions.setConfigOption", { configId: "model", value: 5 }, "invalid_config_value", 400],
    ["sessions.setConfigOption", { configId: "model", value: true }, "invalid_config_value", 400],
    ["sessions.setConfigOption", { configId: "model" }, "bad_request", 400],
  ])("%s with %o is %s", async (procedure, input, code, status) => {
    const answer = await post(procedure, input);
    expect(answer.json).toMatchObject(failure(code, status));
    expect(answer.status).toBe(status);
  });

  test("history refuses impossible pages", async () => {
    const page = (input: object) => client.api.sessions.history.query(input);
    const cases: [object, string][] = [
      [{ before: 1, after: 1 }, "invalid_history_cursor"],
      [{ after: -1 }, "invalid_history_cursor"],
      [{ after: 9_999 }, "history_cursor_ahead"],
      [{ limit: 0 }, "history_limit"],
      [{ limit: 10_001 }, "history_limit"],
    ];
    for (const [input, code] of cases) await expect(page(input)).rejects.toMatchObject({ code });
    await expect(client.api.sessions.list.query({ cursor: "junk" })).rejects.toMatchObject({
      code: "invalid_list_cursor",
    });
    await expect(client.api.sessions.list.query({ limit: 1_001 })).rejects.toMatchObject({
      code: "list_limit",
    });
  });

  test("a batch over the socket is run whole or not at all, too", async () => {
    const call = (id: number, path: string, input: unknown) => ({
      id,
      jsonrpc: "2.0",
      method: "mutation",
      params: { path, input },
    });
    const open = (at: number) =>
      call(at, "sessions.open", { sessionId: `frame-${at}`, agent: "demo" });
    const frames = [
      Array.from({ length: 11 }, (_, at) => open(at)),
      [open(0), call(1, "sessions.nothing", {})],
    ];
    for (const frame of frames) {
      const answers = await socketAnswers(server.url, await server.adminToken(), frame);
      expect(answers).toHaveLength(frame.length);
      for (const answer of answers) {
        expect(answer).toMatchObject({ error: { data: { appCode: "bad_request" } } });
      }
    }
    await expect(client.api.sessions.get.query({ sessionId: "frame-0" })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  test("a mutation whose input is left out means the default session", async () => {
    expect(await client.api.sessions.unload.mutate()).toBeNull();
    expect(await client.api.sessions.cancelPrompt.mutate()).toEqual({ status: "no_active_prompt" });
  });

  test("an unknown procedure, malformed JSON and a batch over ten are bad requests", async () => {
    expect((await post("sessions.nothing", {})).json).toMatchObject(
      failure("bad_request", 400, null),
    );
    const malformed = await post("sessions.open", "{");
    expect(malformed.status).toBe(400);
    expect(malformed.json).toMatchObject({ error: { data: { appCode: "bad_request" } } });
    const eleven = Array.from({ length: 11 }, () => "sessions.open").join(",");
    const inputs = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [at, { sessionId: `batch-${at}`, agent: "demo" }]),
    );
    const mixed = await post("sessions.open,sessions.nothing?batch=1", {
      0: { sessionId: "batch-0", agent: "demo" },
      1: {},
    });
    expect(mixed.status).toBe(400);
    expect(mixed.json).toMatchObject([failure("bad_request", 400, { field: "path" }), {}]);
    const batch = await post(`${eleven}?batch=1`, inputs);
    expect(batch.status).toBe(400);
    expect(batch.body).toContain("bad_request");
    await expect(client.api.sessions.get.query({ sessionId: "batch-0" })).rejects.toMatchObject({
      code: "session_not_found",
    });
  });
});
