import type { Runtime } from "@signalbox/acp-runtime";
import type { Actor, Scope } from "@signalbox/protocol";
import type { Accounts, Doer } from "./accounts.ts";
import type { ExportTickets } from "./export-tickets.ts";

/** Who calls, as the token's row says; never as the caller says. */
export interface Identity {
  tokenId: string;
  /** Of the token; never shown, and compared only where a link stands for it. */
  secret: string;
  actor: Actor;
  scopes: readonly Scope[];
}

/** What the process knows of itself, beside what the runtime knows. */
export interface SystemFacts {
  version: string;
  startedAtMs: number;
  status(): "ok" | "draining" | "degraded";
}

/** One call, for the access log: nothing of its input or its answer. */
export interface CallNote {
  path: string;
  type: string;
  /** `ok`, or the code of the error. */
  outcome: string;
  /** Of a subscription: until it began. */
  durationMs: number;
}

export interface ApiContext {
  runtime: Runtime;
  accounts: Accounts;
  exports: ExportTickets;
  system: SystemFacts;
  /** null when no valid token came with the call. */
  identity: Identity | null;
  /** The caller's address, for the audit log. */
  address: string | null;
  /**
   * Counts a subscription that begins.
   *
   * @returns a function to call when it has ended
   * @throws AppError `limit_exceeded` when the token has as many as it may
   */
  holdSubscription(tokenId: string): () => void;
  /** Hears of every call that needs a token. */
  noteCall(note: CallNote): void;
  /** Resolves when the caller's socket can take more; a slow reader waits here, not in memory. */
  writable(signal: AbortSignal): Promise<void>;
}

export function doerOf(ctx: ApiContext & { identity: Identity }): Doer {
  return { actor: ctx.identity.actor, address: ctx.address };
}
