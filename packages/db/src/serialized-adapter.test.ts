import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { expect, test } from "vitest";
import { toStorageError } from "./database.ts";
import { PrismaClient } from "./generated/client.ts";
import { templateDatabase } from "./testing/index.ts";

const rolledBack = new Error("rolled back on purpose");

/**
 * Writes a row beside an open transaction, which then rolls back.
 *
 * @returns whether the write was acknowledged before the rollback, and what is there after it
 */
async function writeBesideRollback(prisma: PrismaClient) {
  let acknowledged = false;
  let acknowledgedInside = false;
  let plain: Promise<void> | undefined;
  const transaction = prisma.$transaction(async (tx) => {
    await tx.setting.create({ data: { name: "inside", value: "" } });
    plain = prisma.setting.create({ data: { name: "plain", value: "" } }).then(() => {
      acknowledged = true;
    });
    // Long enough for an unguarded write to get through.
    for (let turn = 0; turn < 50 && !acknowledged; turn += 1) await tx.setting.count();
    acknowledgedInside = acknowledged;
    throw rolledBack;
  });
  await expect(transaction).rejects.toBe(rolledBack);
  await plain;
  const rows = await prisma.setting.findMany();
  return { acknowledgedInside, names: rows.map((row) => row.name) };
}

test("an acknowledged write outlives the rollback of a transaction beside it", async () => {
  await using ctx = await templateDatabase();
  const outcome = await writeBesideRollback(ctx.db.prisma);
  expect(outcome).toEqual({ acknowledgedInside: false, names: ["plain"] });
});

test("with Prisma's own adapter it does not: this is what the other test guards", async () => {
  await using ctx = await templateDatabase();
  const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: ctx.file }) });
  const outcome = await writeBesideRollback(prisma);
  await prisma.$disconnect();
  expect(outcome).toEqual({ acknowledgedInside: true, names: [] });
});

test("a queued write waits for an open transaction and outlives its rollback", async () => {
  await using ctx = await templateDatabase();
  let queued: Promise<unknown> | undefined;
  const transaction = ctx.db.prisma.$transaction(async (tx) => {
    await tx.setting.create({ data: { name: "inside", value: "" } });
    queued = ctx.db.write((sqlite) => sqlite.exec("INSERT INTO Setting VALUES ('queued', '')"));
    for (let turn = 0; turn < 50; turn += 1) await tx.setting.count();
    throw rolledBack;
  });
  await expect(transaction).rejects.toBe(rolledBack);
  await queued;
  expect(await ctx.db.prisma.setting.findMany()).toEqual([{ name: "queued", value: "" }]);
});

test("a read never sees rows that may still be rolled back", async () => {
  await using ctx = await templateDatabase();
  const count = () =>
    ctx.db.read((sqlite) => sqlite.prepare("SELECT count(*) FROM Setting").pluck().get());
  await ctx.db.prisma.$transaction(async (tx) => {
    await tx.setting.create({ data: { name: "inside", value: "" } });
    expect(await count()).toBe(0);
  });
  expect(await count()).toBe(1);
});

test("a transaction holds the write lock from its start", async () => {
  await using ctx = await templateDatabase();
  const other = new PrismaClient({
    adapter: new PrismaBetterSqlite3({ url: ctx.file, timeout: 1 }),
  });
  await ctx.db.prisma.$transaction(async (tx) => {
    await tx.setting.count();
    const late = other.setting.create({ data: { name: "other", value: "" } });
    const error: unknown = await late.catch(toStorageError);
    expect(error).toMatchObject({ code: "storage_busy" });
  });
  await other.$disconnect();
});

test("a failed commit rolls back and leaves the connection usable", async () => {
  await using ctx = await templateDatabase();
  const { prisma } = ctx.db;
  const transaction = prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe("PRAGMA defer_foreign_keys = ON");
    await tx.openMessage.create({
      data: { sessionId: "none", type: "", fields: "", updatedAt: 0n },
    });
  });
  await expect(transaction).rejects.toThrow();
  expect(await prisma.openMessage.count()).toBe(0);
  await prisma.$transaction([prisma.setting.create({ data: { name: "next", value: "" } })]);
  expect(await prisma.setting.count()).toBe(1);
});

test("concurrent transactions take turns and all commit", async () => {
  await using ctx = await templateDatabase();
  const { prisma } = ctx.db;
  await prisma.setting.create({ data: { name: "counter", value: "0" } });
  const increment = () =>
    prisma.$transaction(async (tx) => {
      const { value } = await tx.setting.findUniqueOrThrow({ where: { name: "counter" } });
      await tx.setting.update({
        where: { name: "counter" },
        data: { value: String(Number(value) + 1) },
      });
    });
  await Promise.all(Array.from({ length: 20 }, increment));
  const { value } = await prisma.setting.findUniqueOrThrow({ where: { name: "counter" } });
  expect(value).toBe("20");
});
