/**
 * What must be true of every database file at every commit, as queries that find what is not.
 *
 * They read whole tables: for tests and for an operator's check, not for a server at work.
 */
import { type AcpLimits, canonicalJson, isJsonObject, type JsonValue } from "@signalbox/protocol";
import { type AuditRecord, auditHash } from "./audit.ts";
import { pragmaFaults, type Sqlite } from "./connection.ts";
import type { Invariant } from "./invariant.ts";
import { requestInvariants } from "./invariants-requests.ts";
import { sessionInvariants } from "./invariants-sessions.ts";
import { turnInvariants } from "./invariants-turns.ts";

export interface Violation {
  /** Which invariant, by its name here. */
  readonly invariant: string;
  readonly sessionId: string | null;
  /** The id of the row in question, where it is not the session itself. */
  readonly subject: string | null;
  readonly message: string;
}

export type CheckedLimits = Pick<
  AcpLimits,
  "maxPendingPermissionsPerSession" | "maxQueuedPromptsPerSession"
>;

const QUERIES: readonly Invariant[] = [
  ...sessionInvariants,
  ...turnInvariants,
  ...requestInvariants,
];

/**
 * Reads the file that `sqlite` has open, in one snapshot where the caller began one.
 *
 * @param limits those in force, where they are known
 * @returns nothing for a sound file
 */
export function checkInvariants(sqlite: Sqlite, limits?: CheckedLimits): Violation[] {
  return [
    ...damage(sqlite),
    ...pragmaFaults(sqlite).map((message) => violation("connection settings", message)),
    ...QUERIES.flatMap(({ name, sql }) => found(sqlite, name, sql)),
    ...FOLDS.flatMap((fold) => staleFolds(sqlite, fold)),
    ...(limits === undefined ? [] : overLimits(sqlite, limits)),
    ...brokenAudit(sqlite),
  ];
}

interface Fold {
  readonly type: string;
  readonly column: "usage" | "availableCommands";
  /** What of the event stands in the column; undefined when the event changes nothing. */
  readonly value: (fields: Record<string, JsonValue>) => JsonValue | undefined;
}

const FOLDS: readonly Fold[] = [
  {
    type: "usage_update",
    column: "usage",
    value: ({ sessionUpdate: _type, ...usage }) => usage,
  },
  {
    type: "available_commands_update",
    column: "availableCommands",
    value: ({ availableCommands }) =>
      Array.isArray(availableCommands) ? availableCommands : undefined,
  },
];

/** Compared as values: the column is written anew, the event keeps the agent's own text. */
function staleFolds(sqlite: Sqlite, { type, column, value }: Fold): Violation[] {
  const rows = sqlite
    .prepare(
      `SELECT e.sessionId, e.fields, max(e.sequence) AS sequence, ${column} AS folded
       FROM Event e JOIN Session s USING (sessionId) JOIN SessionDetail d USING (sessionId)
       WHERE e.type = ? AND json_valid(e.fields) GROUP BY e.sessionId`,
    )
    .safeIntegers(false)
    .all(type) as { sessionId: string; fields: string; sequence: number; folded: string | null }[];
  return rows.flatMap(({ sessionId, fields, sequence, folded }) => {
    const event: JsonValue = JSON.parse(fields);
    const said = isJsonObject(event) ? value(event) : undefined;
    if (said === undefined) return [];
    if (folded !== null && canonicalJson(JSON.parse(folded)) === canonicalJson(said)) return [];
    const message = `the session's ${column} is not what its last ${type} says`;
    return [
      { invariant: "folds equal the last event", sessionId, subject: String(sequence), message },
    ];
  });
}

function violation(invariant: string, message: string): Violation {
  return { invariant, sessionId: null, subject: null, message };
}

function found(sqlite: Sqlite, invariant: string, sql: string, ...values: number[]): Violation[] {
  const rows = sqlite
    .prepare(sql)
    .safeIntegers(false)
    .all(...values) as Omit<Violation, "invariant">[];
  return rows.map(({ sessionId, subject, message }) => ({
    invariant,
    sessionId,
    subject,
    message,
  }));
}

function damage(sqlite: Sqlite): Violation[] {
  const integrity = sqlite.pragma("integrity_check") as { integrity_check: string }[];
  const foreign = sqlite.pragma("foreign_key_check") as { table: string; parent: string }[];
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => violation("file integrity", row.integrity_check)),
    ...foreign.map(({ table, parent }) =>
      violation("foreign keys", `a row of ${table} names a row of ${parent} that does not exist`),
    ),
  ];
}

function overLimits(sqlite: Sqlite, limits: CheckedLimits): Violation[] {
  const counted = (table: string, where: string) =>
    `SELECT sessionId, NULL AS subject, printf('%d rows of ${table}', count(*)) AS message
     FROM ${table} WHERE ${where} GROUP BY sessionId HAVING count(*) > ?`;
  return [
    ...found(
      sqlite,
      "limits",
      counted("Permission", "state = 'pending'"),
      limits.maxPendingPermissionsPerSession,
    ),
    ...found(
      sqlite,
      "limits",
      counted("Prompt", "state = 'queued'"),
      limits.maxQueuedPromptsPerSession,
    ),
  ];
}

function brokenAudit(sqlite: Sqlite): Violation[] {
  const rows = sqlite.prepare("SELECT * FROM Audit ORDER BY id").safeIntegers(false);
  let hash = "";
  for (const row of rows.iterate() as IterableIterator<AuditRecord>) {
    if (row.hash !== auditHash(hash, row)) {
      const { sessionId, id } = row;
      const message = "the row's hash does not follow from the row before and its own fields";
      return [{ invariant: "audit chain", sessionId, subject: String(id), message }];
    }
    hash = row.hash;
  }
  return [];
}
