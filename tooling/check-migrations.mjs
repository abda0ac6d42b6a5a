#!/usr/bin/env node
// Fails when the committed migrations do not add up to the models: those of prisma/schema.prisma,
// or of the file that is given.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

const NO_DIFFERENCE = 0;
const DIFFERENCE = 2;

const root = path.resolve(import.meta.dirname, "..");
const requireFromDb = createRequire(path.join(root, "packages/db/package.json"));
const manifest = requireFromDb.resolve("prisma/package.json");
const prisma = path.join(path.dirname(manifest), requireFromDb(manifest).bin.prisma);

const schema = process.argv[2] ?? "prisma/schema.prisma";

const command = ["migrate", "diff", "--exit-code"];
const ends = ["--from-migrations", "prisma/migrations", "--to-schema", schema];
const { status, error } = spawnSync(process.execPath, [prisma, ...command, ...ends], {
  cwd: root,
  env: { ...process.env, DATABASE_URL: "file::memory:", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  stdio: ["ignore", "inherit", "inherit"],
});

if (error) throw error;
if (status === DIFFERENCE) {
  console.error("The models have changed: add a migration with `npx prisma migrate dev`.");
}
process.exitCode = status === NO_DIFFERENCE ? 0 : 1;
