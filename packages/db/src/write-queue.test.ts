import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { prepareCached, type Sqlite } from "./database.ts";
import { templateDatabase } from "./testing/index.ts";

const insert =
  (name: string, value = "") =>
  (sqlite: Sqlite) => {
    prepareCached(sqlite, "INSERT INTO Setting (name, value) VALUES (?, ?)").run(name, value);
    return name;
  };

/** What another process would see of the file now. */
function namesSeenFrom(outside: Sqlite): unknown[] {
  return outside.prepare("SELECT name FROM Setting ORDER BY name").pluck().all();
}

test("writes queued together share one commit", async () => {
  await using ctx = await templateDatabase();
  const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
  const written = await Promise.all(names.map((name) => ctx.db.write(insert(name))));
  expect(written).toEqual(names);
  expect(ctx.db.commits).toBe(1);
});

test("a write settles only after its commit", async () => {
  await using ctx = await templateDatabase();
  const outside = new SqliteDatabase(ctx.file, { readonly: true });
  const seenInside: unknown[][] = [];
  const writes = ["a", "b", "c"].map(async (name) => {
    await ctx.db.write((sqlite) => {
      insert(name)(sqlite);
      seenInside.push(namesSeenFrom(outside));
    });
    return namesSeenFrom(outside);
  });
  const seenAtSettling = await Promise.all(writes);
  outside.close();
  expect(seenInside).toEqual([[], [], []]);
  expect(seenAtSettling).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
});

test("a write that throws undoes its own rows and rejects alone", async () => {
  await using ctx = await templateDatabase();
  const bug = new Error("thought better of it");
  const results = await Promise.allSettled([
    ctx.db.write(insert("before")),
    ctx.db.write((sqlite) => {
      insert("undone")(sqlite);
      throw bug;
    }),
    ctx.db.write(insert("before")),
    ctx.db.write(insert("after")),
  ]);
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: bug },
    { status: "rejected", reason: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } },
    { status: "fulfilled" },
  ]);
  expect(await ctx.db.read(namesSeenFrom)).toEqual(["after", "before"]);
  expect(ctx.db.commits).toBe(1);
});

test("an asynchronous write is refused", async () => {
  await using ctx = await templateDatabase();
  const write = ctx.db.write(async (sqlite) => insert("late")(sqlite));
  await expect(write).rejects.toThrow(/synchronous/);
  expect(await ctx.db.read(namesSeenFrom)).toEqual([]);
});

test("a failed commit rejects the whole batch, keeps nothing and blocks nobody", async () => {
  await using ctx = await templateDatabase();
  const results = await Promise.allSettled([
    ctx.db.write(insert("innocent")),
    ctx.db.write((sqlite) => {
      // Checked at COMMIT only, which then fails and leaves the transaction open.
      sqlite.pragma("defer_foreign_keys = ON");
      sqlite.exec(
        "INSERT INTO OpenMessage (sessionId, type, fields, updatedAt) VALUES ('none', '', '', 0)",
      );
    }),
  ]);
  const reason = { code: "SQLITE_CONSTRAINT_FOREIGNKEY" };
  expect(results).toMatchObject([
    { status: "rejected", reason },
    { status: "rejected", reason },
  ]);
  expect(await ctx.db.read(namesSeenFrom)).toEqual([]);
  expect(await ctx.db.write(insert("next"))).toBe("next");
});

test("a full disk is storage_full, and writing goes on when there is room again", async () => {
  await using ctx = await templateDatabase();
  const pages = await ctx.db.write((sqlite) => {
    const used = Number(sqlite.pragma("page_count", { simple: true }));
    sqlite.pragma(`max_page_count = ${used + 2}`);
    return used;
  });
  const big = ctx.db.write(insert("big", "x".repeat(1_000_000)));
  await expect(big).rejects.toMatchObject({ code: "storage_full" });
  expect(ctx.db.isRefused).toBe(true);
  await ctx.db.write((sqlite) => sqlite.pragma(`max_page_count = ${pages + 10_000}`));
  await ctx.db.write(insert("big", "x".repeat(1_000_000)));
  expect(await ctx.db.read(namesSeenFrom)).toEqual(["big"]);
  expect(ctx.db.isRefused).toBe(false);
});

test("a database held by another connection is storage_busy, then free again", async () => {
  await using ctx = await templateDatabase();
  await ctx.db.write((sqlite) => sqlite.pragma("busy_timeout = 1"));
  const outside = new SqliteDatabase(ctx.file);
  outside.exec("BEGIN IMMEDIATE");
  await expect(ctx.db.write(insert("a"))).rejects.toMatchObject({
    code: "storage_busy",
    retryable: true,
  });
  outside.exec("ROLLBACK");
  outside.close();
  expect(await ctx.db.write(insert("a"))).toBe("a");
});

test("closing lets queued writes settle and refuses later ones", async () => {
  await using ctx = await templateDatabase();
  const queued = ctx.db.write(insert("queued"));
  const closed = ctx.db.close();
  await expect(ctx.db.write(insert("late"))).rejects.toMatchObject({ code: "server_draining" });
  await expect(ctx.db.read(namesSeenFrom)).rejects.toMatchObject({ code: "server_draining" });
  expect(await queued).toBe("queued");
  await closed;
  const outside = new SqliteDatabase(ctx.file);
  expect(namesSeenFrom(outside)).toEqual(["queued"]);
  outside.close();
});
