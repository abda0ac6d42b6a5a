/**
 * What an agent behind bubblewrap can reach of the machine, of the server and of others. Runs where
 * bubblewrap does, and in CI always.
 */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { childAgent, ServerProcess } from "../support/server-process.ts";
import { openSession } from "../support/session.ts";

vi.setConfig({ testTimeout: 60_000 });

const SECRET = "a-secret-of-the-server";

async function confined(mode: string) {
  const server = await ServerProcess.start({
    agents: {
      caged: { ...childAgent(mode), launcher: "bwrap" },
      free: childAgent("shell"),
    },
    env: { OPERATORS_KEY: SECRET },
  });
  const client = await server.connect();
  const run = async (command: string, sessionId = "main"): Promise<string> => {
    const { message } = await client.prompt({ sessionId, text: command });
    return message?.content.map((block) => String(block.text)).join("") ?? "";
  };
  return { server, client, run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("an agent behind bubblewrap works in its session's folder and writes nowhere else", async () => {
  await using ctx = await confined("shell");
  await openSession(ctx.client, "main", { agent: "caged" });
  expect(await ctx.run("pwd; echo made > file; cat file")).toBe(`${ctx.server.workspace}\nmade\n`);
  expect(fs.readFileSync(path.join(ctx.server.workspace, "file"), "utf8")).toBe("made\n");
  const beside = path.join(path.dirname(import.meta.dirname), "written-by-an-agent");
  onTestFinished(() => fs.rmSync(beside, { force: true }));
  const outside = await ctx.run(
    `touch ${beside} /etc/x /usr/x; umount /tmp; mount -o remount,rw /`,
  );
  expect(outside).not.toBe("");
  expect(fs.existsSync(beside)).toBe(false);
  expect(fs.existsSync("/etc/x")).toBe(false);
  // Its /tmp is its own, and goes with it.
  expect(await ctx.run("echo x > /tmp/of-the-agent && ls /tmp/of-the-agent")).toContain("of-the");
  expect(fs.existsSync("/tmp/of-the-agent")).toBe(false);
});

test("it sees neither the data folder nor the configuration, the server's environment or any process", async () => {
  await using ctx = await confined("shell");
  await openSession(ctx.client, "main", { agent: "caged" });
  await openSession(ctx.client, "other", { agent: "free" });
  const { server } = ctx;
  const look = [
    `ls -A ${server.dataDir}`,
    `cat ${server.dataDir}/admin-token ${server.configFile}`,
    `cat /proc/${server.pid}/environ /proc/${server.pid}/cmdline`,
    "cat /proc/[0-9]*/environ",
    `ls -l /proc/${server.pid}/fd`,
    `kill -9 ${server.pid}`,
  ].join("; ");
  const free = await ctx.run(look.replace(/kill.*$/, "true"), "other");
  const token = await server.adminToken();
  for (const seen of [SECRET, token, '"agents"', "signalbox.db"]) expect(free).toContain(seen);
  const caged = await ctx.run(look);
  for (const hidden of [SECRET, token, '"agents"', "signalbox.db"]) {
    expect(caged).not.toContain(hidden);
  }
  const pids = (await ctx.run("ls /proc")).split("\n").filter((name) => /^\d+$/.test(name));
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.length).toBeLessThan(10);
  expect(pids).not.toContain(String(server.pid));
  expect((await ctx.client.api.system.health.query()).status).toBe("ok");
});

test("whatever it starts is gone with it: after an unload, and the moment the server is killed", async () => {
  await using ctx = await confined("shell");
  const leave = "env -i setsid sh -c 'trap \"\" TERM HUP; sleep 1000' </dev/null >/dev/null 2>&1 &";
  for (const sessionId of ["main", "second"]) {
    await openSession(ctx.client, sessionId, { agent: "caged" });
    await ctx.run(leave, sessionId);
  }
  const { processes } = await ctx.client.api.agents.processes.query({});
  const [main] = processes.filter(({ sessionId }) => sessionId === "main");
  expect(main?.processes).toBeGreaterThanOrEqual(4);
  await ctx.client.api.sessions.unload.mutate({ sessionId: "main" });
  const second = processes.find(({ sessionId }) => sessionId === "second")?.pid ?? 0;
  const descendants = descendantsOf(second);
  expect(descendants.length).toBeGreaterThanOrEqual(4);
  expect(descendantsOf(main?.pid ?? 0)).toEqual([]);
  await ctx.server.kill9();
  // Without a new server: nothing but the namespace ends them.
  await expect
    .poll(() => descendants.filter((pid) => isAlive(pid)), { timeout: 30_000 })
    .toEqual([]);
  await ctx.server.start();
});

function statOf(pid: string): string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  const [state] = statOf(String(pid));
  return state !== undefined && state !== "Z";
}

/** The process and all below it that live. */
function descendantsOf(root: number): number[] {
  const found = new Set([root]);
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const pid of pids) if (found.has(Number(statOf(pid)[1]))) found.add(Number(pid));
  }
  return [...found].filter(isAlive);
}
