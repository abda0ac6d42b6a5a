import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { historyOf, isDelta, isType, openSession, submit, untilEvent } from "../support/session.ts";

test("a start tells its address and leaves a token that only its owner reads", async () => {
  await using server = await ServerProcess.start();
  expect(server.stdout.split("\n")[0]).toBe(`Signalbox is ready at ${server.url}`);
  const { mode } = await stat(path.join(server.dataDir, "admin-token"));
  expect((mode & 0o777).toString(8)).toBe("600");
  const token = await server.adminToken();
  expect(token).toMatch(/^\S{20,}$/);
  expect(server.stdout + server.stderr).not.toContain(token);
  expect(await server.term()).toEqual({ code: 0, signal: null });
});

test("a port in use ends the start with 5", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  await using server = await ServerProcess.prepare();
  const address = holder.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  try {
    expect(await server.attempt({ SIGNALBOX_PORT: port })).toMatchObject({ code: 5 });
    expect(server.stderr).toContain(port);
    expect(server.stdout).toBe("");
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
});

test("a second server on the same data folder ends with 3 and harms nothing", async () => {
  await using first = await ServerProcess.start();
  const client = await first.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", "/slow");
  await untilEvent(client, "main", isDelta);
  await using second = await ServerProcess.prepare({ env: { SIGNALBOX_DATA_DIR: first.dataDir } });
  expect(await second.attempt()).toMatchObject({ code: 3 });
  expect(second.stderr).toContain(first.dataDir);
  expect(await client.api.sessions.get.query({})).toMatchObject({
    state: { status: "running", promptId },
  });
});

test.each([
  ["is not JSON", "{ not json", ["signalbox.config.json"]],
  ["has an unknown field", { server: { prot: 1 } }, ["server.prot"]],
  ["has an unknown limit", { limits: { acp: { maxPromptByte: 1 } } }, ["limits.acp.maxPromptByte"]],
  [
    "has a value of the wrong kind",
    { limits: { acp: { maxSessions: "9" } } },
    ["limits.acp.maxSessions"],
  ],
  [
    "has limits that contradict each other",
    { limits: { acp: { maxPromptBytes: 4_096, maxLineBytes: 2_048 } } },
    ["limits.acp.maxPromptBytes", "limits.acp.maxLineBytes"],
  ],
  [
    "opens the network without allowed hosts",
    { server: { host: "0.0.0.0" } },
    ["server.allowedHosts"],
  ],

  [
    "opens the network without a word on TLS",
    { server: { host: "0.0.0.0", allowedHosts: ["signalbox.example"] } },
    ["server.trustedProxy", "server.plainHttp"],
  ],
])(
  "a configuration that %s ends the start with 2 and names the place",
  async (_name, config, places) => {
    await using server = await ServerProcess.prepare();
    await server.writeConfig(config);
    expect(await server.attempt()).toMatchObject({ code: 2 });
    for (const place of places) expect(server.stderr).toContain(place);
    expect(server.stderr).not.toMatch(/^\s+at /m);
    expect(server.stdout).toBe("");
  },
);

test("a configuration file that is named and missing ends the start with 2", async () => {
  await using server = await ServerProcess.prepare();
  const missing = path.join(server.rootDir, "elsewhere.json");
  expect(await server.attempt({ SIGNALBOX_CONFIG: missing })).toMatchObject({ code: 2 });
  expect(server.stderr).toContain(missing);
});

test("a database that is none ends the start without being touched", async () => {
  await using server = await ServerProcess.start();
  await server.term();
  const file = path.join(server.dataDir, "signalbox.db");
  const junk = "this is no database ".repeat(500);
  await writeFile(file, junk);
  expect(await server.attempt()).toMatchObject({ code: 6 });
  expect(server.stderr).toContain(file);
  expect(await readFile(file, "utf8")).toBe(junk);
});

test("a lock file that is none is the file that the start names", async () => {
  await using server = await ServerProcess.start();
  await server.term();
  const file = path.join(server.dataDir, "lock.db");
  await writeFile(file, "this is no lock ".repeat(500));
  expect(await server.attempt()).toMatchObject({ code: 6 });
  expect(server.stderr).toContain(file);
});

test("SIGTERM ends turns and permissions in order, with 0, and leaves no process", async () => {
  await using server = await ServerProcess.start({
    agents: { leaving: childAgent("setsid-grandchild"), deaf: childAgent("never-answers") },
  });
  const client = await server.connect();
  await openSession(client, "asking", { permissionPolicy: "ask" });
  await openSession(client, "talking");
  await openSession(client, "deaf", { agent: "deaf" });
  await openSession(client, "leaving", { agent: "leaving" });
  await client.prompt({ sessionId: "leaving", text: "leave a sleeper" });
  const asking = await submit(client, "asking", "/permission");
  const talking = await submit(client, "talking", "/slow");
  const deaf = await submit(client, "deaf", "hello");
  const request = await untilEvent(client, "asking", isType("permission_request"));
  await untilEvent(client, "talking", isDelta);

  expect(await server.term()).toEqual({ code: 0, signal: null });
  await server.assertNoAdapters();

  await server.start();
  const asked = await historyOf(client, "asking");
  expect(asked.find(isType("permission_response"))).toMatchObject({
    requestId: request.requestId,
    status: "not_pending",
    reason: "server_stopped",
  });
  for (const [sessionId, promptId] of [
    ["asking", asking],
    ["talking", talking],
    ["deaf", deaf],
  ] as const) {
    expect((await historyOf(client, sessionId)).at(-1)).toMatchObject({
      type: "_signalbox/turn_ended",
      promptId,
      stopReason: "cancelled",
    });
  }
  const spoken = (await historyOf(client, "talking")).find(isType("agent_message_chunk"));
  expect(spoken).toMatchObject({ _meta: { "signalbox/partial": true } });
});

test("a server whose log has lost its reader works on and stops in order", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  server.closeOutput();
  const promptId = await submit(client, "main", "/slow");
  await untilEvent(client, "main", isDelta);
  expect(await server.term()).toEqual({ code: 0, signal: null });
  await server.start();
  expect((await historyOf(client, "main")).at(-1)).toMatchObject({
    promptId,
    stopReason: "cancelled",
  });
});

test("a second SIGTERM ends the server at once and leaves no process", async () => {
  await using server = await ServerProcess.start({
    agents: { deaf: childAgent("ignore-sigterm") },
    limits: { cancelGraceMs: 600_000, stopGraceMs: 600_000 },
  });
  const client = await server.connect();
  await openSession(client, "main", { agent: "deaf" });
  await submit(client, "main", "hello");
  await openSession(client, "talking");
  await submit(client, "talking", "/stubborn");
  await untilEvent(client, "talking", isDelta);
  server.sendSignal("SIGTERM");
  await expect.poll(async () => isDraining(server.url)).toBe(true);
  // Pressed again until it is taken: one that comes at once counts as the first.
  let hasExited = false;
  const exited = server.exited.finally(() => {
    hasExited = true;
  });
  await expect
    .poll(() => {
      if (!hasExited) server.sendSignal("SIGTERM");
      return hasExited;
    })
    .toBe(true);
  const exit = await exited;
  expect(exit.signal).toBeNull();
  await server.assertNoAdapters();
});

test("one Ctrl-C that arrives twice, from the terminal and from npm, is one", async () => {
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await openSession(client, "main");
  const promptId = await submit(client, "main", "/slow");
  await untilEvent(client, "main", isDelta);
  server.sendSignal("SIGINT");
  server.sendSignal("SIGINT");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await server.start();
  const again = await server.connect();
  const result = await again.api.sessions.awaitPrompt.mutate({ promptId, waitMs: 0 });
  expect(result).toMatchObject({ stopReason: "cancelled" });
});

async function isDraining(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`);
    return (await response.text()).includes("draining");
  } catch {
    return true;
  }
}

test("nobody else reads anything in the data folder, whatever the umask allows", async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  await using server = await ServerProcess.start();
  const client = await server.connect();
  await client.api.sessions.open.mutate({ agent: "demo", env: { TOKEN: "x".repeat(40) } });
  await client.prompt({ text: "/say hello" });
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    entries.map(async (entry) => {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      return [entry.name, entry.isDirectory() ? "folder" : "file", (mode & 0o777).toString(8)];
    }),
  );
  expect(entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["signalbox.db", "signalbox.db-wal", "signalbox.db-shm", "secret.key"]),
  );
  expect(modes.filter(([, kind, mode]) => mode !== (kind === "file" ? "600" : "700"))).toEqual([]);
  expect((await stat(server.dataDir)).mode & 0o777).toBe(0o700);
});

test.each([
  ["others may write", (dir: string) => chmod(dir, 0o777), /may be written by other accounts/],
  ["is a symlink", linkedElsewhere, /is a symlink/],
])("a data folder that %s ends the start with 2", async (_name, spoil, reason) => {
  await using server = await ServerProcess.prepare();
  await mkdir(server.dataDir);
  await spoil(server.dataDir);
  expect(await server.attempt()).toEqual({ code: 2, signal: null });
  expect(server.stderr).toMatch(reason);
});

async function linkedElsewhere(dir: string): Promise<void> {
  await rename(dir, `${dir}-elsewhere`);
  await symlink(`${dir}-elsewhere`, dir);
}
