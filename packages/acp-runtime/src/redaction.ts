/** Shorter values would hide ordinary words. */
const MIN_SECRET_LENGTH = 8;

/** Replaces known secret values by `[redacted:NAME]`. */
export class Redaction {
  readonly #secrets: readonly (readonly [value: string, replacement: string])[];

  /** @param env names and values that must never be stored or shown */
  constructor(env: Readonly<Record<string, string>>) {
    this.#secrets = Object.entries(env)
      .filter(([, value]) => Buffer.byteLength(value) >= MIN_SECRET_LENGTH)
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, value]) => [value, `[redacted:${name}]`] as const);
  }

  text(text: string): string {
    let masked = text;
    for (const [value, replacement] of this.#secrets)
      masked = masked.replaceAll(value, replacement);
    return masked;
  }

  /** As {@link Redaction.text}, for JSON source text, where a value stands escaped. */
  json(source: string): string {
    let masked = source;
    for (const [value, replacement] of this.#secrets) {
      masked = masked.replaceAll(JSON.stringify(value).slice(1, -1), replacement);
    }
    return masked;
  }
}
