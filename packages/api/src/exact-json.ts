/**
 * Events leave as the text that is stored, so that numbers and the order of keys stay those that
 * the agent sent. What stringifies an answer knows nothing of that: an event stands in it as a
 * string that only this process can have written, and the string is replaced on the way out.
 */
import { randomBytes } from "node:crypto";
import { exactTextOf } from "@signalbox/acp-runtime";

const STAND_IN = `${randomBytes(18).toString("base64url")}:`;
const OPENING = `"${STAND_IN}`;

/** Has the event stringified as its exact text; one that has none stays as it is. */
export function exact<T extends object>(event: T): T {
  if (exactTextOf(event) === undefined || Object.hasOwn(event, "toJSON")) return event;
  return Object.defineProperty(event, "toJSON", {
    enumerable: false,
    value: () => `${STAND_IN}${exactTextOf(event)}`,
  });
}

/** Puts the events back into JSON text that is complete. */
export function withExactEvents(json: string): string {
  if (!json.includes(OPENING)) return json;
  const exactly = new ExactText();
  return exactly.push(json) + exactly.end();
}

/** The same for text that comes in pieces. */
export class ExactText {
  #held = "";

  /** @returns what is complete by now */
  push(piece: string): string {
    const text = this.#held + piece;
    let done = "";
    let at = 0;
    for (;;) {
      const start = text.indexOf(OPENING, at);
      if (start < 0) break;
      const end = stringEnd(text, start + OPENING.length);
      if (end === null) {
        this.#held = text.slice(start);
        return done + text.slice(at, start);
      }
      const spelled: string = JSON.parse(text.slice(start, end));
      done += text.slice(at, start) + spelled.slice(STAND_IN.length);
      at = end;
    }
    const heldFrom = partialOpening(text, at);
    this.#held = text.slice(heldFrom);
    return done + text.slice(at, heldFrom);
  }

  /** What was held back; nothing can complete it any more. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

/** Behind the quote that ends the string; null when it has not come yet. */
function stringEnd(text: string, from: number): number | null {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return null;
}

/** Where the end of the text could be the beginning of a stand-in; its length when it could not. */
function partialOpening(text: string, from: number): number {
  const last = text.lastIndexOf('"');
  const isPartial = last >= from && OPENING.startsWith(text.slice(last));
  return isPartial ? last : text.length;
}
