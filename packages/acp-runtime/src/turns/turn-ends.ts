import { WakeUp } from "../reads/wake-up.ts";

interface PromptName {
  readonly sessionId: string;
  readonly promptId: string;
}

/** Someone who waits for the end of one turn, from before the first look until disposed. */
export interface TurnWaiter extends Disposable {
  /** Resolves when `isReady` says so or the turn ended, or when `signal` aborts. Never rejects. */
  until(isReady: () => boolean, signal: AbortSignal): Promise<void>;
}

interface WatchedTurn {
  readonly ended: WakeUp;
  watcherCount: number;
}

/** Callers that wait for turns to end, each woken by the end of its own turn only. */
export class TurnEnds {
  readonly #waiting = new Map<string, Map<string, WatchedTurn>>();
  #waiterCount = 0;

  get waiterCount(): number {
    return this.#waiterCount;
  }

  /** A turn has ended and its end is committed. */
  tell({ sessionId, promptId }: PromptName): void {
    this.#waiting.get(sessionId)?.get(promptId)?.ended.wake();
  }

  /** The session is gone, and every turn of it. */
  tellAll(sessionId: string): void {
    for (const { ended } of this.#waiting.get(sessionId)?.values() ?? []) ended.wake();
  }

  /** Watch first, then look at the row: an end in between is not missed. */
  watch({ sessionId, promptId }: PromptName): TurnWaiter {
    const ofSession = this.#waiting.get(sessionId) ?? new Map<string, WatchedTurn>();
    this.#waiting.set(sessionId, ofSession);
    const turn = ofSession.get(promptId) ?? { ended: new WakeUp(), watcherCount: 0 };
    ofSession.set(promptId, turn);
    const { ended } = turn;
    const seen = ended.count;
    this.#waiterCount += 1;
    turn.watcherCount += 1;
    return {
      until: (isReady, signal) => ended.until(() => isReady() || ended.count > seen, signal),
      [Symbol.dispose]: () => {
        this.#waiterCount -= 1;
        turn.watcherCount -= 1;
        if (turn.watcherCount > 0) return;
        ofSession.delete(promptId);
        if (ofSession.size === 0) this.#waiting.delete(sessionId);
      },
    };
  }
}
