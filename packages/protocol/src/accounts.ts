import type { Actor, Scope } from "./identity.ts";
import type { JsonObject } from "./json.ts";

/** A service's token; its secret was shown once and is not kept. */
export interface Token {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

/** One login of the console. */
export interface Login {
  id: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** The console's origin that it holds for; null for any. */
  origin: string | null;
  address: string | null;
}

/** One decision or administrative act. */
export interface AuditRow {
  id: number;
  timestamp: string;
  actor: Actor;
  address: string | null;
  action: string;
  sessionId: string | null;
  target: string | null;
  outcome: string;
  details: JsonObject;
  /** SHA-256, hex, over {@link auditChainText}. */
  hash: string;
}

/** What a row's hash covers, as it is stored. */
export type AuditChainFields = [
  timestampMs: number,
  actorKind: string,
  actorName: string,
  address: string | null,
  action: string,
  sessionId: string | null,
  target: string | null,
  outcome: string,
  detailsJson: string,
];

/** @param previousHash of the row before; `""` for the first */
export function auditChainText(previousHash: string, fields: AuditChainFields): string {
  return previousHash + JSON.stringify(fields);
}
