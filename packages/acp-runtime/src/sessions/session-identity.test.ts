/** What makes an id the same session, and what may change under it. */
import fs from "node:fs";
import path from "node:path";
import type { OpenSessionInput } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { scriptedAgent, testRuntime } from "../testing/index.ts";
import { OPERATOR, type TestRuntime } from "../testing/test-runtime.ts";

const idle = () =>
  scriptedAgent(async () => "end_turn", {
    capabilities: { sessionCapabilities: { resume: {} } },
  });

/** Another value for each field of the identity. */
function otherValues(folder: string): [keyof OpenSessionInput, Partial<OpenSessionInput>][] {
  const server = { name: "s", command: "/bin/s", args: [], env: [] };
  return [
    ["cwd", { cwd: folder }],
    ["additionalDirectories", { additionalDirectories: [folder] }],
    ["mcpServers", { mcpServers: [server] }],
    ["permissionPolicy", { permissionPolicy: "reject_all" }],
    ["skipOsInstructions", { skipOsInstructions: true }],
    ["additionalInstructions", { additionalInstructions: "Be brief." }],
  ];
}

function folderIn(ctx: TestRuntime, name: string): string {
  const folder = path.join(ctx.workspace, name);
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

test("another value of any field of the identity is a conflict that names the field, loaded or not", async () => {
  const agent = idle();
  await using ctx = await testRuntime({ agent });
  const folder = folderIn(ctx, "other");
  await ctx.open();
  for (const isLoaded of [true, false]) {
    if (!isLoaded) await ctx.runtime.unloadSession("main", OPERATOR);
    for (const [field, input] of otherValues(folder)) {
      await expect(ctx.open(input), field).rejects.toMatchObject({
        code: "session_conflict",
        details: { sessionId: "main", fields: [field] },
      });
    }
  }
  expect(agent.launches).toHaveLength(1);
  const all = Object.assign({}, ...otherValues(folder).map(([, input]) => input));
  await expect(ctx.open(all)).rejects.toMatchObject({
    details: { fields: otherValues(folder).map(([field]) => field) },
  });
  await ctx.open();
});

test("what was given is compared with what is left out: it is a conflict in both directions", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  const folder = folderIn(ctx, "other");
  for (const [field, input] of otherValues(folder)) {
    await ctx.open({ sessionId: field, ...input });
    await ctx.open({ sessionId: field, ...input });
    await expect(ctx.open({ sessionId: field }), field).rejects.toMatchObject({
      code: "session_conflict",
      details: { fields: [field] },
    });
  }
});

test("left out equals the default, and empty text equals left out", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  await ctx.open();
  const equal: Partial<OpenSessionInput>[] = [
    { cwd: ctx.workspace },
    { cwd: "" },
    { additionalDirectories: [] },
    { mcpServers: [] },
    { permissionPolicy: "allow_all" },
    { skipOsInstructions: false },
    { additionalInstructions: "" },
  ];
  for (const input of [...equal, Object.assign({}, ...equal)]) await ctx.open(input);
  expect((await ctx.runtime.getSession("main")).cwd).toBe(ctx.workspace);
});

test("the order of keys never matters, the order of a list does", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  const [one, two] = [folderIn(ctx, "one"), folderIn(ctx, "two")];
  const env = [{ name: "A", value: "1" }];
  const first = { name: "s", command: "/bin/s", args: ["a", "b"], env };
  const second = { name: "t", command: "/bin/t", args: [], env: [] };
  await ctx.open({ additionalDirectories: [one, two], mcpServers: [first, second] });
  const turned = {
    env: [{ value: "1", name: "A" }],
    args: ["a", "b"],
    command: "/bin/s",
    name: "s",
  };
  await ctx.open({ additionalDirectories: [one, two], mcpServers: [turned, second] });
  for (const [input, field] of [
    [{ additionalDirectories: [two, one], mcpServers: [first, second] }, "additionalDirectories"],
    [{ additionalDirectories: [one, two], mcpServers: [second, first] }, "mcpServers"],
    [
      {
        additionalDirectories: [one, two],
        mcpServers: [{ ...first, args: ["b", "a"] }, second],
      },
      "mcpServers",
    ],
  ] as const) {
    const asked = JSON.parse(JSON.stringify(input));
    await expect(ctx.open(asked)).rejects.toMatchObject({ details: { fields: [field] } });
  }
});

test("paths are compared normalised, and a symlink is another folder than what it leads to", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  const folder = folderIn(ctx, "real");
  const link = path.join(ctx.workspace, "link");
  fs.symlinkSync(folder, link);
  await ctx.open({ cwd: folder });
  for (const cwd of [`${folder}/`, `${ctx.workspace}//real`, `${ctx.workspace}/x/../real/.`]) {
    await ctx.open({ cwd });
  }
  await expect(ctx.open({ cwd: link })).rejects.toMatchObject({ code: "session_conflict" });
  await ctx.open({ sessionId: "linked", cwd: link });
  expect((await ctx.runtime.getSession("linked")).cwd).toBe(link);
});

test("env is not identity: it is kept without one, replaced with one, and works from the next start", async () => {
  const agent = idle();
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: "first-value" } });
  await ctx.open();
  await ctx.open({ env: { OTHER_KEY: "second-value" } });
  expect(agent.launches).toHaveLength(1);
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.open();
  expect(agent.launches[1]?.env).toMatchObject({ OTHER_KEY: "second-value" });
  expect(agent.launches[1]?.env).not.toHaveProperty("API_KEY");
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.open({ env: { API_KEY: "third-value" } });
  expect(agent.launches[2]?.env).toMatchObject({ API_KEY: "third-value" });
  const audit = await ctx.deps.db.prisma.audit.findMany({ where: { action: "sessions.open" } });
  expect(audit.map(({ details }) => JSON.parse(details).envNames)).toEqual([
    ["API_KEY"],
    ["OTHER_KEY"],
    ["API_KEY"],
  ]);
  expect(audit.map(({ details }) => details).join()).not.toContain("-value");
});

test("an env that is refused with a conflict or a bad name replaces nothing", async () => {
  const agent = idle();
  await using ctx = await testRuntime({ agent });
  await ctx.open({ env: { API_KEY: "first-value" } });
  const env = { API_KEY: "second-value" };
  await expect(ctx.open({ env, permissionPolicy: "ask" })).rejects.toMatchObject({
    code: "session_conflict",
  });
  await expect(ctx.open({ env: { ...env, "1A": "x" } })).rejects.toMatchObject({
    code: "invalid_env",
  });
  await ctx.runtime.unloadSession("main", OPERATOR);
  await ctx.open();
  expect(agent.launches[1]?.env).toMatchObject({ API_KEY: "first-value" });
});

test("a conflict shows no secret of either side", async () => {
  await using ctx = await testRuntime({ agent: idle() });
  const server = (value: string) => ({
    name: "s",
    command: "/bin/s",
    args: [],
    env: [{ name: "TOKEN", value }],
  });
  await ctx.open({ mcpServers: [server("the-stored-secret")], env: { KEY: "the-env-secret" } });
  const failure = await ctx
    .open({ mcpServers: [server("the-other-secret")], env: { KEY: "the-new-secret" } })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "session_conflict", details: { fields: ["mcpServers"] } });
  expect(JSON.stringify(failure) + String(failure)).not.toMatch(/secret/);
});
