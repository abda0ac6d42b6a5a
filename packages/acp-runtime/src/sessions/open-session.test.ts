import fs from "node:fs";
import path from "node:path";
import type { OpenSessionInput } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, type TestRuntime, testRuntime } from "../testing/index.ts";
import { OPERATOR } from "../testing/test-runtime.ts";
import { assertMcpServers } from "./open-session.ts";

const GUEST = { ...OPERATOR, isAdmin: false };

const stdio = (command: string, env: { name: string; value: string }[] = []) => ({
  name: "tools",
  command,
  args: [],
  env,
});
const http = { type: "http", name: "web", url: "https://mcp.example/", headers: [] };

const idle = () => scriptedAgent(async () => "end_turn");

function openAsGuest(ctx: TestRuntime, input: Partial<OpenSessionInput>): Promise<void> {
  return ctx.runtime.openSession({ agent: "scripted", ...input, sessionId: "main" }, GUEST);
}

test("a command of a caller's own needs scope X, however its server is written", async () => {
  const agent = idle();
  await using ctx = await testRuntime({ agent });
  const typed = { type: "stdio", ...stdio("/bin/sh") };
  // A member that another kind of server would have makes no other kind of it.
  const disguised = { ...stdio("/bin/sh"), url: "https://mcp.example/", headers: [] };
  for (const server of [stdio("/bin/sh"), typed, disguised]) {
    await expect(openAsGuest(ctx, { mcpServers: [http, server] })).rejects.toMatchObject({
      code: "forbidden",
      details: { field: "mcpServers.1.command" },
    });
  }
  expect(agent.launches).toEqual([]);
  await openAsGuest(ctx, { mcpServers: [http] });
  await ctx.open({ sessionId: "operator", mcpServers: [stdio("/bin/sh")] });
  expect(agent.launches).toHaveLength(2);
});

test("a command on the list may be used by anyone, another one next to it may not", () => {
  const deps = { mcpAllow: ["/opt/tools/mcp"] };
  assertMcpServers(deps, [stdio("/opt/tools/mcp")], false);
  const both = [stdio("/opt/tools/mcp"), stdio("/opt/tools/mcp2")];
  expect(() => assertMcpServers(deps, both, false)).toThrowError(
    expect.objectContaining({ code: "forbidden" }),
  );
});

test.each([
  ["A=B", "x", true],
  ["1A", "x", true],
  ["A", "x\0y", true],
  ["LD_PRELOAD", "/tmp/x.so", false],
  ["NODE_OPTIONS", "--import=/tmp/x.mjs", false],
])("a stdio server's %s is held to the rules for env", async (name, value, isRefusedToAll) => {
  const agent = idle();
  await using ctx = await testRuntime({ agent });
  const mcpServers = [http, stdio("/bin/true", [{ name, value }])];
  const refusal = { code: "invalid_env", details: { field: `mcpServers.1.env.${name}` } };
  const deps = { mcpAllow: ["/bin/true"] };
  expect(() => assertMcpServers(deps, mcpServers, false)).toThrowError(
    expect.objectContaining(refusal),
  );
  const open = ctx.open({ mcpServers });
  if (isRefusedToAll) await expect(open).rejects.toMatchObject(refusal);
  else await open;
});

test("a folder whose name begins with two dots is inside, the folder above is not", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  const cwd = path.join(ctx.workspace, "..x");
  fs.mkdirSync(cwd);
  await ctx.open({ cwd });
  await expect(
    ctx.open({ sessionId: "above", cwd: path.dirname(ctx.workspace) }),
  ).rejects.toMatchObject({ code: "invalid_cwd" });
});
