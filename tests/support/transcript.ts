import { isType, textOf } from "./session.ts";
import type { DurableEvent, Followed, SessionEvent } from "./types.ts";

/**
 * Reads a stream as a careful client would and notes whatever it should not have been sent: an
 * event twice, a gap, or live text that does not begin the message that was then committed.
 */
export class Transcript {
  readonly durable: DurableEvent[] = [];
  readonly problems: string[] = [];
  #open = "";

  static of(items: readonly Followed[]): Transcript {
    const transcript = new Transcript();
    for (const { event } of items) transcript.#read(event);
    return transcript;
  }

  #read(event: SessionEvent): void {
    const last = this.durable.at(-1)?.sequence;
    if (event.durability === "ephemeral") {
      if (last !== undefined && event.afterSequence !== last) {
        this.problems.push(`a delta after ${event.afterSequence} came after ${last}`);
      }
      this.#open += textOf(event);
      return;
    }
    if (last !== undefined && event.sequence !== last + 1) {
      this.problems.push(`${event.sequence} came after ${last}`);
    }
    const isSpoken = isType("agent_message_chunk")(event) || isType("agent_thought_chunk")(event);
    if (isSpoken && !textOf(event).startsWith(this.#open)) {
      this.problems.push(`event ${event.sequence} does not begin with what was shown live`);
    }
    if (!isSpoken && this.#open !== "") {
      this.problems.push(`event ${event.sequence} came while a message was open`);
    }
    this.#open = "";
    this.durable.push(event);
  }
}
