/** A subscriber of a run: it checks each item against what is stored at that moment. */
import type { TestRuntime } from "@signalbox/acp-runtime/testing";
import { type DurableEvent, isJsonObject, OWN_EVENT, type SessionEvent } from "@signalbox/protocol";
import type { Life } from "./clients.ts";
import type { Gates } from "./gates.ts";
import type { Journal } from "./journal.ts";
import type { SessionName } from "./program.ts";

export interface ReaderStart {
  readonly session: SessionName;
  readonly after: number | undefined;
  readonly lastEventId: string | null;
  /** Null: whatever comes first. */
  readonly sequence: number | null;
  /** Live text since the last stored event, where a reader had some. */
  readonly live: string;
}

/** A stored event as a reader was shown it. */
export interface Seen {
  readonly session: SessionName;
  readonly incarnation: string;
  readonly sequence: number;
  readonly text: string;
}

export class Reader {
  readonly start: ReaderStart;
  readonly seen: Seen[];
  readonly #journal: Journal;
  readonly #ends = new AbortController();
  #livePromptId: string | null = null;
  cursor: string | null = null;
  sequence: number | null;
  live: string;
  incarnation: string | null = null;
  isOver = false;
  error: unknown;

  constructor(start: ReaderStart, journal: Journal, seen: Seen[]) {
    this.start = start;
    this.sequence = start.sequence;
    this.live = start.live;
    this.cursor = start.lastEventId;
    this.#journal = journal;
    this.seen = seen;
  }

  drop(): void {
    this.#ends.abort();
  }

  async run(life: Life, slowBy: Gates | null): Promise<void> {
    const { session, after, lastEventId } = this.start;
    const from = { sessionId: session, after, lastEventId };
    const { ctx } = life;
    try {
      for await (const { cursor, event } of ctx.runtime.followSession(from, this.#ends.signal)) {
        this.cursor = cursor;
        await this.#take(ctx, event);
        await slowBy?.pass("reader");
      }
    } catch (error) {
      this.error = error;
      const what = lastEventId === null && after === undefined ? "subscribe" : "resume";
      if (!life.isGone) this.#journal.refused(what, error, life.isStopping);
    } finally {
      this.isOver = true;
    }
  }

  async #take(ctx: TestRuntime, event: SessionEvent): Promise<void> {
    const { session } = this.start;
    if (event.durability === "ephemeral") {
      if (!isJsonObject(event.content)) return;
      this.live += String(event.content.text);
      this.#livePromptId = event.promptId;
      return;
    }
    const { sequence } = event;
    const expected = this.sequence === null ? sequence : this.sequence + 1;
    this.#journal.check(sequence === expected, `${session} ${sequence} came for ${expected}`);
    this.sequence = sequence;
    this.#compare(event);
    const row = await storedEvent(ctx, session, sequence);
    if (!row) return;
    this.#journal.check(row.exists, `${session} ${sequence} was shown before it was stored`);
    this.incarnation = row.incarnation;
    this.seen.push({
      session,
      incarnation: row.incarnation,
      sequence,
      text: JSON.stringify(event),
    });
  }

  /** An answer or a place in the queue may stand in the middle of a message, its end may not. */
  #compare(event: DurableEvent): void {
    const isMessage = event.type === "agent_message_chunk" || event.type === "agent_thought_chunk";
    const isEnd = event.type === OWN_EVENT.turnEnded && event.promptId === this.#livePromptId;
    if (!isMessage && !isEnd) return;
    const { text } = isJsonObject(event.content) ? event.content : {};
    this.#journal.check(
      this.live === "" || (typeof text === "string" && text.startsWith(this.live)),
      `${event.sessionId}: "${this.live}" was live and ${JSON.stringify(event)} is stored`,
    );
    this.live = "";
  }
}

/** @returns undefined when the session is gone */
async function storedEvent(ctx: TestRuntime, sessionId: string, sequence: number) {
  return ctx.deps.db.read((sqlite) => {
    const row = sqlite
      .prepare(
        `SELECT s.incarnation, e.sequence FROM Session s LEFT JOIN Event e
           ON e.sessionId = s.sessionId AND e.sequence = ? WHERE s.sessionId = ?`,
      )
      .safeIntegers(false)
      .get(sequence, sessionId) as { incarnation: string; sequence: number | null } | undefined;
    return row && { incarnation: row.incarnation, exists: row.sequence !== null };
  });
}
