import { randomBytes } from "node:crypto";
import type { ExportFormat } from "@signalbox/acp-runtime";

export interface ExportTarget {
  sessionId: string;
  format: ExportFormat;
}

interface Ticket extends ExportTarget {
  readonly secret: string;
  readonly expiresAtMs: number;
}

const LIFE_MS = 60_000;
const MAX_TICKETS = 10_000;

/**
 * Links that are good for one download, for a browser that cannot send a token with one. They live
 * in memory: a restart, like a minute, ends them.
 */
export class ExportTickets {
  readonly #tickets = new Map<string, Ticket>();
  readonly #now: () => number;

  /** @param now the time in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param secret of the caller's token; the ticket is void when that is */
  issue(target: ExportTarget, secret: string): { url: string; expiresAt: string } {
    this.#dropExpired();
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size >= MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest);
    const id = randomBytes(24).toString("base64url");
    const expiresAtMs = this.#now() + LIFE_MS;
    this.#tickets.set(id, { ...target, secret, expiresAtMs });
    return { url: `/export/${id}`, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** Uses the ticket up. @returns null when there is none, or none any more */
  redeem(id: string): (ExportTarget & { secret: string }) | null {
    const found = this.find(id);
    this.#tickets.delete(id);
    return found;
  }

  /** Leaves the ticket as it is. @returns null when there is none, or none any more */
  find(id: string): (ExportTarget & { secret: string }) | null {
    const ticket = this.#tickets.get(id);
    if (!ticket || ticket.expiresAtMs <= this.#now()) return null;
    const { sessionId, format, secret } = ticket;
    return { sessionId, format, secret };
  }

  #dropExpired(): void {
    for (const [id, { expiresAtMs }] of this.#tickets) {
      // In the order of their ends.
      if (expiresAtMs > this.#now()) return;
      this.#tickets.delete(id);
    }
  }
}
