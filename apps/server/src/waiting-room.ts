import { AppError } from "@signalbox/protocol";

/** How long one keeps its place whoever else comes; more than a token needs to arrive. */
const GRACE_MS = 1_000;

export interface WaitingRoomOptions<T> {
  /** What waits, as an error calls it. */
  readonly what: string;
  readonly max: number;
  readonly patienceMs: number;
  /** Ends one that has waited too long, or whose place another gets. */
  readonly refuse: (waiting: T) => void;
}

interface Waiting {
  readonly address: string;
  readonly sinceMs: number;
  readonly deadline: NodeJS.Timeout;
}

/**
 * What has not said yet who it is: few at a time, and none for long. Places are shared out by
 * address, and who has one keeps it for a while, so that strangers who say nothing keep nobody out
 * and push nobody out.
 */
export class WaitingRoom<T> {
  readonly #options: WaitingRoomOptions<T>;
  readonly #waiting = new Map<T, Waiting>();
  /** Those that have said nothing, the one that has waited longest first. */
  readonly #silent = new Map<string, Set<T>>();

  constructor(options: WaitingRoomOptions<T>) {
    this.#options = options;
  }

  /**
   * Makes place for one more, at the cost of the address that has most. That address itself gets a
   * place of its own only after a while.
   *
   * @throws AppError `rate_limited` when there is none to be had
   */
  makePlace(address: string): void {
    const { what, max } = this.#options;
    if (this.#waiting.size < max) return;
    const [heaviest, places] = this.#heaviest();
    const own = this.#silent.get(address)?.size ?? 0;
    const [longest] = places;
    const sinceMs = longest && this.#waiting.get(longest)?.sinceMs;
    const isFair = address !== heaviest && own + 1 < places.size;
    if (longest && sinceMs !== undefined && (isFair || performance.now() - sinceMs >= GRACE_MS)) {
      this.#refuse(longest);
      return;
    }
    throw new AppError("rate_limited", `${max} ${what} wait, as many as may; try again shortly`);
  }

  add(one: T, address: string): void {
    const deadline = setTimeout(() => this.#refuse(one), this.#options.patienceMs);
    this.#waiting.set(one, { address, sinceMs: performance.now(), deadline });
    this.#silent.set(address, (this.#silent.get(address) ?? new Set<T>()).add(one));
  }

  /** It has said something: it keeps its place until that has been looked at. */
  hear(one: T): void {
    const address = this.#waiting.get(one)?.address;
    const ofAddress = address === undefined ? undefined : this.#silent.get(address);
    if (address === undefined || !ofAddress) return;
    ofAddress.delete(one);
    if (ofAddress.size === 0) this.#silent.delete(address);
  }

  /** It has said who it is, or is gone. */
  leave(one: T): void {
    this.hear(one);
    clearTimeout(this.#waiting.get(one)?.deadline);
    this.#waiting.delete(one);
  }

  #heaviest(): [address: string | null, places: ReadonlySet<T>] {
    let heaviest: [string | null, ReadonlySet<T>] = [null, new Set()];
    for (const entry of this.#silent) if (entry[1].size > heaviest[1].size) heaviest = entry;
    return heaviest;
  }

  #refuse(one: T): void {
    this.leave(one);
    this.#options.refuse(one);
  }
}
