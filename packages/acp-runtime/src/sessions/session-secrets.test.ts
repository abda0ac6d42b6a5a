/** Values of a session that nobody is shown: given, rotated, stored and masked. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type ScriptedAgent, scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const SECRET = "s3cret-value-of-mcp";
const NOBODY = { ...OPERATOR, isAdmin: false };

async function auditOf(ctx: TestRuntime, action: string) {
  return ctx.deps.db.prisma.audit.findMany({ where: { action } });
}

test("rotated values reach the adapter at its next start, and the audit log names them", async () => {
  const agent = scriptedAgent(async () => "end_turn");
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: "old-value-1" } });
  await ctx.runtime.rotateEnv({ sessionId: "main", env: { API_KEY: "new-value-2" } }, NOBODY);
  expect(agent.launches.at(-1)?.env.API_KEY).toBe("old-value-1");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("go");
  expect(agent.launches.at(-1)?.env.API_KEY).toBe("new-value-2");
  const [row] = await auditOf(ctx, "sessions.rotateEnv");
  expect(row).toMatchObject({ sessionId: "main", actorName: "test", outcome: "ok" });
  expect(row?.details).toContain("API_KEY");
  expect(row?.details).not.toContain("new-value-2");
});

test("rotated values are checked like those of an open, before anything is stored", async () => {
  await using ctx = await testRuntime({ agent: scriptedAgent(async () => "end_turn") });
  await ctx.open();
  for (const name of ["1A", "LD_PRELOAD", "NODE_OPTIONS"]) {
    const env = { [name]: "x" };
    await expect(ctx.runtime.rotateEnv({ sessionId: "main", env }, NOBODY)).rejects.toMatchObject({
      code: "invalid_env",
      details: { field: `env.${name}` },
    });
  }
  await ctx.runtime.rotateEnv({ sessionId: "main", env: { LD_PRELOAD: "x" } }, OPERATOR);
  await expect(
    ctx.runtime.rotateEnv({ sessionId: "nobody", env: {} }, OPERATOR),
  ).rejects.toMatchObject({ code: "session_not_found" });
  expect(await auditOf(ctx, "sessions.rotateEnv")).toHaveLength(1);
});

function leakyAgent(): ScriptedAgent {
  return scriptedAgent(
    async (turn) => {
      await turn.say(`the server wants ${SECRET}`);
      return "end_turn";
    },
    { capabilities: { loadSession: true, mcpCapabilities: { http: true } } },
  );
}

test("values of MCP servers are sealed, sent again as they were, and masked in what the agent says", async () => {
  const agent = leakyAgent();
  await using ctx = await testRuntime({ agent });
  const mcpServers = [
    { name: "files", command: "/bin/files", args: [], env: [{ name: "TOKEN", value: SECRET }] },
    {
      type: "http" as const,
      name: "web",
      url: "http://127.0.0.1:1/",
      headers: [{ name: "Authorization", value: `Bearer ${SECRET}` }],
    },
  ];
  await ctx.open({ mcpServers });
  await ctx.open({ mcpServers });
  const other = structuredClone(mcpServers);
  const [first] = other;
  if (first && "env" in first && first.env?.[0]) first.env[0].value = "another-value";
  await expect(ctx.open({ mcpServers: other })).rejects.toMatchObject({
    code: "session_conflict",
    details: { fields: ["mcpServers"] },
  });
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.prompt("go");
  expect(agent.callsOf("session/load")[0]?.params.mcpServers).toEqual(mcpServers);
  expect(JSON.stringify(await ctx.events())).not.toContain(SECRET);
  const folder = path.dirname(ctx.workspace);
  for (const name of fs.readdirSync(folder).filter((file) => file.startsWith("signalbox.db"))) {
    expect(fs.readFileSync(path.join(folder, name)).includes(SECRET), name).toBe(false);
  }
});

test("servers that were stored before they were sealed are read as they are", async () => {
  const agent = leakyAgent();
  await using ctx = await testRuntime({ agent });
  const env = [{ name: "TOKEN", value: SECRET }];
  const mcpServers = [{ name: "files", command: "/bin/files", args: [], env }];
  await ctx.open({ mcpServers });
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.deps.db.write((sqlite) => {
    sqlite.prepare("UPDATE SessionDetail SET mcpServers = ?").run(JSON.stringify(mcpServers));
  });
  await ctx.open({ mcpServers });
  expect(agent.callsOf("session/load")[0]?.params.mcpServers).toEqual(mcpServers);
  await ctx.prompt("go");
  expect(JSON.stringify(await ctx.events())).not.toContain(SECRET);
});
