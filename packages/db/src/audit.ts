import { createHash } from "node:crypto";
import type { Actor, JsonObject } from "@signalbox/protocol";
import { prepareCached, type Sqlite } from "./database.ts";

export interface AuditEntry {
  actor: Actor;
  address: string | null;
  action: string;
  sessionId: string | null;
  target: string | null;
  outcome: string;
  details: JsonObject;
}

/** Each row's hash covers the row before it, so that a removed or edited row shows. */
export function appendAuditInWrite(sqlite: Sqlite, entry: AuditEntry, now: number): void {
  const previous = prepareCached(sqlite, "SELECT hash FROM Audit ORDER BY id DESC LIMIT 1").get() as
    | { hash: string }
    | undefined;
  const details = JSON.stringify(entry.details);
  const fields = [
    now,
    entry.actor.kind,
    entry.actor.name,
    entry.address,
    entry.action,
    entry.sessionId,
    entry.target,
    entry.outcome,
    details,
  ];
  const hash = createHash("sha256")
    .update(previous?.hash ?? "")
    .update(JSON.stringify(fields))
    .digest("hex");
  prepareCached(
    sqlite,
    `INSERT INTO Audit (timestamp, actorKind, actorName, address, action, sessionId, target,
       outcome, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...fields, hash);
}
