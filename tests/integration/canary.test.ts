/** Secret values that an agent says in every way it has, and where they must not be found. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { SignalboxClient } from "@signalbox/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rawHttp } from "../support/raw-calls.ts";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { isDelta, submit, textOf } from "../support/session.ts";
import { foundIn } from "../support/spellings.ts";

/** Spelled differently in JSON, in an address and in base64. */
const canary = (word: string) => `${word} "q" +/&=\u00e9`;
const OF_SESSION = canary("SessionCanaryQ7xW2mZp94Lk");
const ROTATED = canary("RotatedCanaryB3nV8tYr51Hd");
const OF_SERVER = canary("PassedCanaryJ6cX1sGu83Fa");
const OF_MCP = canary("McpCanaryT5vK9wEo27Rb");
const ALL = [OF_SESSION, ROTATED, OF_SERVER, OF_MCP];

let server: ServerProcess;
let client: SignalboxClient;
/** Everything the server told anybody: answers, errors and events. */
const told: unknown[] = [];

beforeAll(async () => {
  server = await ServerProcess.start({
    agents: {
      leaky: childAgent("leaky"),
      passed: { ...childAgent("leaky"), passEnv: ["CANARY"] },
    },
    env: { CANARY: OF_SERVER, SIGNALBOX_LOG: "debug" },
  });
  client = await server.connect();
});
afterAll(() => server[Symbol.asyncDispose]());

const tell = async (answer: Promise<unknown>) => void told.push(await answer);
const tellFailure = async (answer: Promise<unknown>) => {
  const error: unknown = await answer.then(
    () => expect.fail("it was not refused"),
    (reason) => reason,
  );
  const { message, code, details } = Object(error);
  told.push({ message, code, details });
};

/** Prompts a session to a good end, to a bad one, and to none while somebody watches. */
async function useUp(sessionId: string): Promise<void> {
  await tell(client.prompt({ sessionId, text: "speak" }));
  await tellFailure(client.prompt({ sessionId, text: "fail" }));
  const promptId = await submit(client, sessionId, "hang");
  let live = "";
  for await (const item of client.followSession({ sessionId, after: 0 })) {
    told.push(item);
    if (isDelta(item.event)) live += textOf(item.event);
    if (live.includes("it is [redacted:CANARY].")) break;
  }
  expect(ALL.flatMap((value) => foundIn(live, value))).toEqual([]);
  await tell(client.api.sessions.cancelPrompt.mutate({ sessionId, promptId, wait: true }));
}

async function askEverything(sessionId: string): Promise<void> {
  const { api } = client;
  await tell(api.sessions.get.query({ sessionId }));
  await tell(api.sessions.list.query({}));
  await tell(api.sessions.history.query({ sessionId, after: 0 }));
  await tell(api.sessions.search.query({ query: "canary" }));
  await tell(api.sessions.config.query({ sessionId }));
  await tell(api.sessions.agentInfo.query({ sessionId }));
  await tell(api.agents.list.query({}));
  await tell(api.agents.processes.query({}));
  await tell(api.agents.stderr.query({ sessionId }));
  await tell(api.audit.list.query({}));
  await tell(api.system.info.query({}));
  const headers = { authorization: `Bearer ${await server.adminToken()}` };
  for (const format of ["jsonl", "markdown"]) {
    const query = new URLSearchParams({ sessionId, format });
    await tell(rawHttp(`${server.url}/export?${query}`, { headers }));
  }
}

const filesWithCanaries = async () => {
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain("signalbox.db");
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(path.join(parentPath, name));
      return ALL.flatMap((value) => foundIn(bytes, value)).map((spelling) => [name, spelling]);
    }),
  );
  return found.flat();
};

test("a secret value is found in no answer, event, error, log, export or file, in any spelling", async () => {
  const options = { sessionId: "canary", agent: "leaky", env: { CANARY: OF_SESSION } };
  const headers = [{ name: "Authorization", value: OF_MCP }];
  const mcpServers = [
    { name: "tools", command: "/bin/true", args: [], env: [{ name: "KEY", value: OF_MCP }] },
  ];
  await client.api.sessions.open.mutate({ ...options, mcpServers });
  await useUp("canary");
  const other = [{ type: "http" as const, name: "web", url: "http://127.0.0.1:1/", headers }];
  await tellFailure(client.api.sessions.open.mutate({ ...options, mcpServers: other }));
  await tellFailure(
    client.api.sessions.open.mutate({ ...options, sessionId: "bad", env: { "1X": OF_SESSION } }),
  );
  const rotated = { sessionId: "canary", env: { CANARY: ROTATED } };
  await client.api.sessions.rotateEnv.mutate(rotated);
  await client.api.sessions.unload.mutate({ sessionId: "canary" });
  await useUp("canary");
  await client.api.sessions.open.mutate({ sessionId: "passed", agent: "passed" });
  await useUp("passed");
  await askEverything("canary");
  await askEverything("passed");

  const text = JSON.stringify(told);
  expect(text).toContain("[redacted:CANARY]");
  expect(ALL.flatMap((value) => foundIn(text, value))).toEqual([]);
  const log = server.stdout + server.stderr;
  expect(ALL.flatMap((value) => foundIn(log, value))).toEqual([]);
  expect(await filesWithCanaries()).toEqual([]);
  await server.kill9();
  expect(await filesWithCanaries()).toEqual([]);
}, 120_000);

test("a value is found in each spelling that is looked for", () => {
  const [value] = ALL;
  const text = value ?? "";
  for (const spelled of [
    text,
    JSON.stringify({ text }),
    encodeURIComponent(text),
    Buffer.from(text).toString("base64"),
    Buffer.from(`x${text}`).toString("base64"),
    Buffer.from(`xy${text}`).toString("base64url"),
  ]) {
    expect(foundIn(spelled, text), spelled).not.toEqual([]);
  }
  expect(foundIn("nothing of it", text)).toEqual([]);
});
