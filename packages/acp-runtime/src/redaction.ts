/**
 * What must not leave the runtime: the values of secret variables, and the adapter's own id of
 * the session. Everything an agent says passes here before it is stored or shown.
 */
import type { JsonValue } from "@signalbox/protocol";

/** Shorter values would hide ordinary words. */
const MIN_SECRET_BYTES = 8;
/** Shorter ids are replaced only where they are a whole JSON string. */
const MIN_ID_LENGTH = 16;

export class Redaction {
  readonly #secrets: readonly (readonly [value: string, replacement: string])[];
  #privateId: { own: string; shown: string } | null = null;

  /** @param env names and values that must never be stored or shown */
  constructor(env: Readonly<Record<string, string>>) {
    this.#secrets = Object.entries(env)
      .filter(([, value]) => Buffer.byteLength(value) >= MIN_SECRET_BYTES)
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, value]) => [value, `[redacted:${name}]`] as const);
  }

  /** From now on the adapter's id of the session is shown as the public one. */
  replaceSessionId(own: string, shown: string): void {
    this.#privateId = own === "" ? null : { own, shown };
  }

  text(text: string): string {
    let masked = text;
    for (const [value, replacement] of this.#secrets) {
      masked = masked.replaceAll(value, () => replacement);
    }
    const id = this.#privateId;
    return id && id.own.length >= MIN_ID_LENGTH
      ? masked.replaceAll(id.own, () => id.shown)
      : masked;
  }

  /** As {@link Redaction.text}, for JSON source text, where a value stands escaped. */
  json(source: string): string {
    let masked = source;
    for (const [value, replacement] of this.#secrets) {
      masked = masked.replaceAll(inner(value), () => inner(replacement));
    }
    const id = this.#privateId;
    if (!id) return masked;
    masked = masked.replaceAll(JSON.stringify(id.own), () => JSON.stringify(id.shown));
    return id.own.length >= MIN_ID_LENGTH
      ? masked.replaceAll(inner(id.own), () => inner(id.shown))
      : masked;
  }

  value<T extends JsonValue>(value: T): T {
    const source = JSON.stringify(value);
    const masked = this.json(source);
    return masked === source ? value : (JSON.parse(masked) as T);
  }

  /** How many characters at the end of `text` could begin a secret that is still being spoken. */
  heldLength(text: string): number {
    let held = 0;
    for (const [value] of this.#secrets) {
      for (let length = Math.min(value.length - 1, text.length); length > held; length -= 1) {
        if (text.endsWith(value.slice(0, length))) {
          held = length;
          break;
        }
      }
    }
    return held;
  }
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Masks text that comes in pieces: what could begin a secret waits for the next piece. */
export class SpokenRedaction {
  readonly #redaction: Redaction;
  #held = "";

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** @returns the text that can be shown by now */
  push(piece: string): string {
    const text = this.#redaction.text(this.#held + piece);
    const held = this.#redaction.heldLength(text);
    this.#held = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** What is still held; the message is over, so it begins no secret. */
  get held(): string {
    return this.#held;
  }
}
