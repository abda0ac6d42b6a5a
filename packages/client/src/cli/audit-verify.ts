/** Recomputes the audit log's chain here, so that the server's own word is not needed. */
import { createHash } from "node:crypto";
import { type AuditRow, auditChainText } from "@signalbox/protocol";
import type { SignalboxClient } from "../client.ts";
import type { Answer } from "./command.ts";
import { CommandFailure } from "./failure.ts";

const PAGE_ROWS = 500;

export interface AuditChain {
  rows: number;
  /** The newest row; null for an empty log. */
  last: { id: number; hash: string } | null;
}

/**
 * Rows cut off at the end leave no trace in the chain itself: pass the row that an earlier run
 * named as the last one.
 *
 * @param expected `<id>:<hash>` of a row that must be there
 * @throws CommandFailure naming the row that does not hold
 */
export async function auditVerify(
  client: SignalboxClient,
  expected: string | undefined,
): Promise<Answer> {
  const mustHold = expected === undefined ? null : parseExpected(expected);
  const chain = await verifyChain(auditRows(client), mustHold);
  const last = chain.last === null ? "" : ` The last is ${chain.last.id}:${chain.last.hash}`;
  return { lines: [`${chain.rows} rows hold.${last}`], json: { ok: true, ...chain } };
}

async function* auditRows(client: SignalboxClient): AsyncGenerator<AuditRow> {
  let cursor: string | undefined;
  do {
    const page = await client.api.audit.list.query({
      limit: PAGE_ROWS,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.rows;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** @param rows newest first: each is judged when the one before it is known */
export async function verifyChain(
  rows: AsyncIterable<AuditRow> | Iterable<AuditRow>,
  mustHold: { id: number; hash: string } | null,
): Promise<AuditChain> {
  let newer: AuditRow | null = null;
  let last: AuditChain["last"] = null;
  let count = 0;
  let isFound = mustHold === null;
  for await (const row of rows) {
    last ??= { id: row.id, hash: row.hash };
    if (newer) assertHolds(newer, row.hash);
    if (mustHold?.id === row.id) isFound = mustHold.hash === row.hash;
    newer = row;
    count += 1;
  }
  if (newer) assertHolds(newer, "");
  if (!isFound) {
    throw new CommandFailure(`Row ${mustHold?.id} is not what it was, or is gone.`, {
      ok: false,
      brokenId: mustHold?.id,
    });
  }
  return { rows: count, last };
}

function assertHolds(row: AuditRow, previousHash: string): void {
  const { actor } = row;
  const text = auditChainText(previousHash, [
    Date.parse(row.timestamp),
    actor.kind,
    actor.name,
    row.address,
    row.action,
    row.sessionId,
    row.target,
    row.outcome,
    JSON.stringify(row.details),
  ]);
  if (createHash("sha256").update(text).digest("hex") === row.hash) return;
  throw new CommandFailure(
    `Row ${row.id} does not hold: it, or the row before it, was changed or removed.`,
    { ok: false, brokenId: row.id },
  );
}

function parseExpected(text: string): { id: number; hash: string } {
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text);
  if (!match?.[1] || !match[2]) {
    throw new CommandFailure("--expect takes <id>:<hash> as an earlier run printed it.");
  }
  return { id: Number(match[1]), hash: match[2] };
}
