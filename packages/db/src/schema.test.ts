import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { templateDatabase } from "./testing/index.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SCHEMA = path.join(ROOT, "prisma/schema.prisma");

interface Outcome {
  readonly exitCode: number | string | null | undefined;
  readonly output: string;
}

function runNode(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ exitCode: error ? error.code : 0, output: stdout + stderr });
    });
  });
}

test("the committed migrations add up to the models", { timeout: 60_000 }, async () => {
  expect(await runNode(["tooling/check-migrations.mjs"])).toMatchObject({ exitCode: 0 });
});

test("a model without its migration fails the check", { timeout: 60_000 }, async () => {
  await using ctx = await templateDatabase();
  const changed = path.join(ctx.dir, "schema.prisma");
  const models = fs.readFileSync(SCHEMA, "utf8");
  fs.writeFileSync(changed, `${models}\nmodel Forgotten {\n  id String @id\n}\n`);
  const check = await runNode(["tooling/check-migrations.mjs", changed]);
  expect(check).toMatchObject({ exitCode: 1, output: expect.stringContaining("Forgotten") });
});

test("Prisma agrees that a started database is up to date", { timeout: 60_000 }, async () => {
  await using ctx = await templateDatabase();
  await ctx.db.close();
  const cli = path.join(ROOT, "node_modules/prisma/build/index.js");
  const status = await runNode([cli, "migrate", "status"], { DATABASE_URL: `file:${ctx.file}` });
  expect(status).toMatchObject({ exitCode: 0, output: expect.stringContaining("up to date") });
});
