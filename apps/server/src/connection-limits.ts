import { limitError } from "@signalbox/protocol";
import { z } from "zod";

/** `limits.connections` of the configuration, with its defaults. */
export const connectionLimitsSchema = z.strictObject({
  /** Sockets that have not shown a valid token, and connections that have asked nothing yet. */
  maxWaitingSockets: z.number().int().min(1).default(1_000),
  maxSocketsPerToken: z.number().int().min(1).default(1_000),
  maxSubscriptionsPerToken: z.number().int().min(1).default(4_000),
});

export type ConnectionLimits = z.infer<typeof connectionLimitsSchema>;

/** How much of one kind each token has open. */
export class TokenQuota {
  readonly #what: string;
  readonly #limit: keyof ConnectionLimits;
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param what the things that are counted, as an error calls them */
  constructor(what: string, limits: ConnectionLimits, limit: keyof ConnectionLimits) {
    this.#what = what;
    this.#limit = limit;
    this.#max = limits[limit];
  }

  /**
   * @returns a function that gives the place back; more calls of it do nothing
   * @throws AppError `limit_exceeded` when the token has as many open as it may
   */
  take(tokenId: string): () => void {
    const actual = (this.#taken.get(tokenId) ?? 0) + 1;
    if (actual > this.#max) {
      throw limitError(
        "limit_exceeded",
        `the token has ${this.#max} ${this.#what} open, as many as it may`,
        { limit: `limits.connections.${this.#limit}`, max: this.#max, actual },
      );
    }
    this.#taken.set(tokenId, actual);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#taken.get(tokenId) ?? 1) - 1;
      if (left === 0) this.#taken.delete(tokenId);
      else this.#taken.set(tokenId, left);
    };
  }
}
