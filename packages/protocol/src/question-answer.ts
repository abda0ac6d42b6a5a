/**
 * The check of what a person typed into a form. Server and console check alike; only the server
 * evaluates patterns.
 */
import type { JsonObject, JsonValue } from "./json.ts";
import { type FormControl, type FormField, isTexts } from "./question-form.ts";

export interface AnswerProblem {
  readonly field: string;
  readonly problem: string;
}

/** Whether the value matches; null when it cannot be told, which refuses nothing. */
export type MatchesPattern = (pattern: string, value: string) => boolean | null;

/**
 * Checks an answer against the form's fields.
 *
 * @returns the answer as the agent gets it: a required field that was left out has its default
 */
export function checkAnswer(
  fields: readonly FormField[],
  content: JsonObject,
  matches: MatchesPattern,
): { content: JsonObject; problems: AnswerProblem[] } {
  const problems: AnswerProblem[] = [];
  const checked: [string, JsonValue][] = [];
  for (const { name, isRequired, control } of fields) {
    const isGiven = Object.hasOwn(content, name);
    const value = isGiven ? content[name] : isRequired ? defaultOf(control) : undefined;
    if (value === undefined) {
      if (isRequired) problems.push({ field: name, problem: "must be answered" });
      continue;
    }
    const problem = problemOf(control, value, matches);
    if (problem !== null) problems.push({ field: name, problem });
    checked.push([name, value]);
  }
  const asked = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(content)) {
    if (!asked.has(name)) problems.push({ field: name, problem: "was not asked" });
  }
  return { content: Object.fromEntries(checked), problems };
}

function defaultOf({ initial }: FormControl): JsonValue | undefined {
  if (initial === null) return undefined;
  return typeof initial === "object" ? [...initial] : initial;
}

function problemOf(control: FormControl, value: JsonValue, matches: MatchesPattern): string | null {
  switch (control.kind) {
    case "text":
      return typeof value === "string" ? textProblem(control, value, matches) : "must be text";
    case "number":
      if (typeof value !== "number") return "must be a number";
      if (control.isInteger && !Number.isInteger(value)) return "must be a whole number";
      return rangeProblem(value, control.minimum, control.maximum);
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "choice":
      return control.choices.some((choice) => choice.value === value)
        ? null
        : "must be one of the choices offered";
    case "choices":
      return isTexts(value) ? choicesProblem(control, value) : "must be a list of choices";
    case "unknown":
      return isAnswerValue(value) ? null : "must be text, a number, true, false or a list of texts";
  }
}

function textProblem(
  control: Extract<FormControl, { kind: "text" }>,
  value: string,
  matches: MatchesPattern,
): string | null {
  const { minLength, maxLength, format, pattern } = control;
  // Characters as people count them, not UTF-16 units.
  const length = [...value].length;
  if (minLength !== null && length < minLength) {
    return `must have at least ${minLength} characters; it has ${length}`;
  }
  if (maxLength !== null && length > maxLength) {
    return `may have at most ${maxLength} characters; it has ${length}`;
  }
  const wanted = format === null ? undefined : FORMATS.get(format);
  if (wanted && !wanted.fits(value)) return `must be ${wanted.words}`;
  if (pattern !== null && matches(pattern, value) === false) return `must match ${pattern}`;
  return null;
}

function rangeProblem(value: number, min: number | null, max: number | null): string | null {
  if (min !== null && value < min) return `must be at least ${min}`;
  return max !== null && value > max ? `must be at most ${max}` : null;
}

function choicesProblem(
  { choices, minItems, maxItems }: Extract<FormControl, { kind: "choices" }>,
  value: readonly string[],
): string | null {
  const offered = new Set(choices.map((choice) => choice.value));
  if (!value.every((item) => offered.has(item))) return "must only hold choices that were offered";
  if (new Set(value).size !== value.length) return "names a choice twice";
  if (minItems !== null && value.length < minItems) return `needs at least ${minItems} choices`;
  if (maxItems !== null && value.length > maxItems) return `may have at most ${maxItems} choices`;
  return null;
}

const FORMATS: ReadonlyMap<string, { words: string; fits: (value: string) => boolean }> = new Map([
  ["email", { words: "an e-mail address", fits: isEmail }],
  ["uri", { words: "a URI", fits: (value: string) => URL.canParse(value) }],
  ["date", { words: "a date as YYYY-MM-DD", fits: isDate }],
  ["date-time", { words: "a date and time as in RFC 3339", fits: isDateTime }],
]);

function isEmail(value: string): boolean {
  const at = value.lastIndexOf("@");
  const isBlank = /[\s@]/;
  return at > 0 && !isBlank.test(value.slice(0, at)) && isHost(value.slice(at + 1));
}

function isHost(host: string): boolean {
  return host.length > 0 && !/[\s@]/.test(host) && host.split(".").every((label) => label !== "");
}

function isDate(value: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (!match) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  // A day that the month does not have is counted on into the next month, or refused.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(value: string): boolean {
  return (
    isDate(value.slice(0, 10)) && /^[Tt ]$/.test(value.charAt(10)) && TIME.test(value.slice(11))
  );
}

function isAnswerValue(value: JsonValue): boolean {
  return ["string", "number", "boolean"].includes(typeof value) || isTexts(value);
}
