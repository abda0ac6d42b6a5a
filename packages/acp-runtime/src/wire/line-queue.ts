/** The outgoing side of a wire: one line at a time, an urgent lane, no line written twice. */

interface QueuedLine {
  /** Emptied when the writing begins: whoever may withdraw the line must not keep its text alive. */
  text: string;
  /** Called once when the line was written (null) or never will be. */
  readonly settle: ((error: Error | null) => void) | undefined;
  isWithdrawn: boolean;
}

export class LineQueue {
  readonly #write: (line: string) => Promise<void>;
  readonly #urgent: QueuedLine[] = [];
  #queued: QueuedLine[] = [];
  /** Index of the next line in `#queued`, so that taking one does not move all others. */
  #next = 0;
  #writing = false;
  #failure: Error | null = null;

  /** @param write resolves when the pipe took the line, rejects when it takes no more */
  constructor(write: (line: string) => Promise<void>) {
    this.#write = write;
  }

  /**
   * @param settle gets null once the line was written, or the reason why it never will be
   * @returns takes the line back, which does nothing once its writing has begun
   */
  push(text: string, settle?: (error: Error | null) => void): () => void {
    const line: QueuedLine = { text, settle, isWithdrawn: false };
    this.#add(this.#queued, line);
    return () => {
      line.isWithdrawn = true;
    };
  }

  /** Goes ahead of every line whose writing has not begun. */
  pushUrgent(text: string): void {
    this.#add(this.#urgent, { text, settle: undefined, isWithdrawn: false });
  }

  /** Drops what is queued; later lines are refused with the same reason. */
  fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    const dropped = [...this.#urgent, ...this.#queued.slice(this.#next)];
    this.#urgent.length = 0;
    this.#queued = [];
    this.#next = 0;
    for (const line of dropped) line.settle?.(error);
  }

  #add(lane: QueuedLine[], line: QueuedLine): void {
    if (this.#failure !== null) {
      line.settle?.(this.#failure);
      return;
    }
    lane.push(line);
    if (!this.#writing) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#writing = true;
    for (let line = this.#take(); line !== undefined; line = this.#take()) {
      if (line.isWithdrawn) continue;
      try {
        const { text } = line;
        line.text = "";
        await this.#write(text);
        line.settle?.(null);
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        line.settle?.(error);
        this.fail(error);
      }
    }
    this.#writing = false;
  }

  #take(): QueuedLine | undefined {
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return urgent;
    const line = this.#queued[this.#next];
    if (line === undefined) {
      this.#queued = [];
      this.#next = 0;
      return undefined;
    }
    this.#next += 1;
    if (this.#next > 1024) {
      this.#queued = this.#queued.slice(this.#next);
      this.#next = 0;
    }
    return line;
  }
}
