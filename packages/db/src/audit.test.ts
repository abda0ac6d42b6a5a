import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { appendAuditInWrite, readAudit, verifyAudit } from "./audit.ts";
import { templateDatabase } from "./testing/index.ts";

async function auditedDatabase(rows: number) {
  const database = await templateDatabase();
  await database.db.write((sqlite) => {
    for (let n = 0; n < rows; n += 1) {
      appendAuditInWrite(
        sqlite,
        {
          actor: { kind: "token", name: `caller ${n}` },
          address: null,
          action: "tokens.create",
          sessionId: n % 2 === 0 ? "even" : null,
          target: String(n),
          outcome: "ok",
          details: { n },
        },
        1_000 + n,
      );
    }
  });
  return database;
}

test("a chain that nobody touched holds, however long", async () => {
  await using database = await auditedDatabase(2_500);
  expect(await verifyAudit(database.db)).toEqual({ count: 2_500, brokenId: null });
});

test("rows are neither changed nor removed by a statement", async () => {
  await using database = await auditedDatabase(3);
  for (const sql of ["UPDATE Audit SET outcome = 'x'", "DELETE FROM Audit WHERE id = 2"]) {
    await expect(database.db.write((sqlite) => sqlite.exec(sql))).rejects.toThrow();
  }
  expect(await verifyAudit(database.db)).toEqual({ count: 3, brokenId: null });
});

test.each([
  ["an edited row", "UPDATE Audit SET actorName = 'someone else' WHERE id = 5", 5],
  ["a removed row", "DELETE FROM Audit WHERE id = 5", 6],
  ["rows that changed places", "UPDATE Audit SET id = -id WHERE id IN (5, 6)", -6],
])("%s shows in the chain", async (_name, sql, brokenId) => {
  await using database = await auditedDatabase(10);
  const raw = new SqliteDatabase(database.file);
  raw.exec("DROP TRIGGER Audit_no_update; DROP TRIGGER Audit_no_delete;");
  raw.exec(sql);
  raw.close();
  expect((await verifyAudit(database.db)).brokenId).not.toBeNull();
  if (brokenId > 0) expect((await verifyAudit(database.db)).brokenId).toBe(brokenId);
});

test("a page is newest first, and a session's rows are found by it", async () => {
  await using database = await auditedDatabase(6);
  const all = await readAudit(database.db, { limit: 4 });
  expect(all.map(({ target }) => target)).toEqual(["5", "4", "3", "2"]);
  const even = await readAudit(database.db, { sessionId: "even", beforeId: 5, limit: 4 });
  expect(even.map(({ target }) => target)).toEqual(["2", "0"]);
});
