import { createHash } from "node:crypto";
import { type AuditRow, auditChainText } from "@signalbox/protocol";
import { expect, test } from "vitest";
import { verifyChain } from "./audit-verify.ts";

/** A chain as the server makes it, newest first as it is listed. */
function chain(length: number): AuditRow[] {
  const rows: AuditRow[] = [];
  let hash = "";
  for (let id = 1; id <= length; id += 1) {
    const row = {
      timestamp: new Date(1_000 * id).toISOString(),
      actor: { kind: "token" as const, name: `caller ${id}` },
      address: null,
      action: "tokens.create",
      sessionId: null,
      target: String(id),
      outcome: "ok",
      details: { scopes: ["R"], expiresAtMs: null },
    };
    const { timestamp, actor, address, action, sessionId, target, outcome, details } = row;
    const fields = [Date.parse(timestamp), actor.kind, actor.name, address, action] as const;
    const text = auditChainText(hash, [
      ...fields,
      sessionId,
      target,
      outcome,
      JSON.stringify(details),
    ]);
    hash = createHash("sha256").update(text).digest("hex");
    rows.unshift({ id, ...row, hash });
  }
  return rows;
}

test("a chain that nobody touched holds, from its newest row to its first", async () => {
  const rows = chain(5);
  const [newest] = rows;
  expect(await verifyChain(rows, null)).toEqual({
    rows: 5,
    last: { id: 5, hash: newest?.hash },
  });
  expect(await verifyChain([], null)).toEqual({ rows: 0, last: null });
});

test("an edited row, a removed one and a removed beginning are named", async () => {
  const edited = chain(5).map((row) => (row.id === 3 ? { ...row, outcome: "x" } : row));
  await expect(verifyChain(edited, null)).rejects.toMatchObject({ facts: { brokenId: 3 } });
  const removed = chain(5).filter(({ id }) => id !== 3);
  await expect(verifyChain(removed, null)).rejects.toMatchObject({ facts: { brokenId: 4 } });
  await expect(verifyChain(chain(5).slice(0, 4), null)).rejects.toMatchObject({
    facts: { brokenId: 2 },
  });
});

test("rows cut off at the end show when an earlier run's last row is expected", async () => {
  const rows = chain(5);
  const cut = rows.slice(1);
  expect((await verifyChain(cut, null)).rows).toBe(4);
  const mustHold = { id: 5, hash: rows[0]?.hash ?? "" };
  await expect(verifyChain(cut, mustHold)).rejects.toThrow(/Row 5/);
  expect((await verifyChain(rows, mustHold)).rows).toBe(5);
});
