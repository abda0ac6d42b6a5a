/**
 * What must not leave the runtime: the values of secret variables, and the adapter's own id of
 * the session. Everything an agent says passes here before it is stored or shown.
 */
import type { JsonValue } from "@signalbox/protocol";
import {
  changeJsonStrings,
  changeStrings,
  hasFreeSpelling,
  plainSpelling,
} from "../wire/json-strings.ts";

/** Shorter values would hide ordinary words. */
const MIN_SECRET_BYTES = 8;
/** Shorter ids are replaced only where they are a whole JSON string. */
const MIN_ID_LENGTH = 16;

interface Hidden {
  readonly value: string;
  readonly shown: string;
  /** How the value stands in JSON source that has no free spelling. */
  readonly spelling: string;
}

export class Redaction {
  readonly #secrets: readonly Hidden[];
  /** The long before the short: one may be the beginning of another. */
  #privateIds: readonly Hidden[] = [];

  /** @param env names and values that must never be stored or shown */
  constructor(env: Readonly<Record<string, string>>) {
    this.#secrets = Object.entries(env)
      .filter(([, value]) => Buffer.byteLength(value) >= MIN_SECRET_BYTES)
      .flatMap(([name, value]) => formsOf(value).map((form) => [name, form] as const))
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, form]) => hidden(form, `[redacted:${name}]`));
  }

  /**
   * From now on the adapter's id of the session is shown as the public one. Ids add up: an
   * adapter that was restored with one id may go on with another.
   */
  replaceSessionId(own: string, shown: string): void {
    if (own === "" || own === shown) return;
    const others = this.#privateIds.filter((id) => id.value !== own);
    this.#privateIds = [...others, hidden(own, shown)].sort(
      (a, b) => b.value.length - a.value.length,
    );
  }

  text(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) masked = withShown(masked, secret);
    for (const id of this.#privateIds) {
      if (id.value.length >= MIN_ID_LENGTH) masked = withShown(masked, id);
    }
    return masked;
  }

  /** As {@link Redaction.text}, for every string of JSON source; all else stays as it is spelled. */
  json(source: string): string {
    return this.#mayHold(source) ? changeJsonStrings(source, this.#string) : source;
  }

  /** As {@link Redaction.json}, for a parsed value. */
  value<T extends JsonValue>(value: T): T {
    if (this.#secrets.length === 0 && this.#privateIds.length === 0) return value;
    // A string stays a string and a list a list.
    return changeStrings(value, this.#string) as T;
  }

  /** Sees nothing of the structure, so it may say yes for what spans two strings. */
  #mayHold(source: string): boolean {
    if (this.#secrets.length === 0 && this.#privateIds.length === 0) return false;
    const stands = ({ spelling }: Hidden): boolean => source.includes(spelling);
    return hasFreeSpelling(source) || this.#secrets.some(stands) || this.#privateIds.some(stands);
  }

  /** One whole JSON string, decoded. */
  readonly #string = (text: string): string => {
    for (const { value, shown } of this.#privateIds) if (text === value) return shown;
    return this.text(text);
  };

  /** How many characters at the end of `text` could begin a secret that is still being spoken. */
  heldLength(text: string): number {
    let held = 0;
    for (const { value } of this.#secrets) {
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

/** The value, and how it stands in JSON text, in an address or a form, and in base64. */
function formsOf(value: string): string[] {
  const wellFormed = value.toWellFormed();
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(wellFormed),
    new URLSearchParams([["", wellFormed]]).toString().slice(1),
    Buffer.from(value).toString("base64").replace(/=+$/, ""),
    Buffer.from(value).toString("base64url"),
  ];
  return [...new Set(forms)];
}

function hidden(value: string, shown: string): Hidden {
  return { value, shown, spelling: plainSpelling(value) };
}

function withShown(text: string, { value, shown }: Hidden): string {
  return text.includes(value) ? text.replaceAll(value, () => shown) : text;
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
