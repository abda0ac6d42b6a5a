/** The flat schema of a question's form, read as openly as it can be. */
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

export interface FormChoice {
  readonly value: string;
  readonly title: string;
  readonly description: string | null;
}

export type FormControl =
  | {
      readonly kind: "text";
      readonly format: string | null;
      readonly pattern: string | null;
      readonly minLength: number | null;
      readonly maxLength: number | null;
      readonly initial: string | null;
    }
  | {
      readonly kind: "number";
      readonly isInteger: boolean;
      readonly minimum: number | null;
      readonly maximum: number | null;
      readonly initial: number | null;
    }
  | { readonly kind: "boolean"; readonly initial: boolean | null }
  | {
      readonly kind: "choice";
      readonly choices: readonly FormChoice[];
      readonly initial: string | null;
    }
  | {
      readonly kind: "choices";
      readonly choices: readonly FormChoice[];
      readonly minItems: number | null;
      readonly maxItems: number | null;
      readonly initial: readonly string[] | null;
    }
  /** Of a type this build does not know: shown as it came, never as an input. */
  | { readonly kind: "unknown"; readonly schema: JsonObject; readonly initial: null };

export interface FormField {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly isRequired: boolean;
  readonly control: FormControl;
}

/** @returns the fields in their order, or null when the schema is no form that could be answered */
export function readForm(schema: JsonObject): FormField[] | null {
  const { properties = {}, required = [] } = schema;
  if (schema.type !== undefined && schema.type !== "object") return null;
  if (!isJsonObject(properties)) return null;
  if (required !== null && !isTexts(required)) return null;
  const fields: FormField[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property) || typeof property.type !== "string") return null;
    const control = controlOf(property);
    if (control === null) return null;
    fields.push({
      name,
      title: textOf(property.title),
      description: textOf(property.description),
      isRequired: required?.includes(name) ?? false,
      control,
    });
  }
  // What must be answered and was not asked could never be answered.
  const isComplete = (required ?? []).every((name) => Object.hasOwn(properties, name));
  return isComplete ? fields : null;
}

function controlOf(property: JsonObject): FormControl | null {
  switch (property.type) {
    case "string":
      return stringControl(property);
    case "number":
    case "integer": {
      if (!areNumbers(property, ["minimum", "maximum"])) return null;
      const isInteger = property.type === "integer";
      const initial = numberOf(property.default);
      return {
        kind: "number",
        isInteger,
        minimum: numberOf(property.minimum),
        maximum: numberOf(property.maximum),
        initial: isInteger && !Number.isInteger(initial) ? null : initial,
      };
    }
    case "boolean":
      return {
        kind: "boolean",
        initial: typeof property.default === "boolean" ? property.default : null,
      };
    case "array":
      return choicesControl(property);
    default:
      return { kind: "unknown", schema: property, initial: null };
  }
}

function stringControl(property: JsonObject): FormControl | null {
  const { pattern = null } = property;
  if (!areNumbers(property, ["minLength", "maxLength"])) return null;
  if (pattern !== null && typeof pattern !== "string") return null;
  const initial = textOf(property.default);
  const listed = property.oneOf ?? property.enum ?? null;
  if (listed !== null) {
    const choices = choicesOf(listed);
    return choices && { kind: "choice", choices, initial: knownChoice(choices, initial) };
  }
  return {
    kind: "text",
    format: textOf(property.format),
    pattern,
    minLength: numberOf(property.minLength),
    maxLength: numberOf(property.maxLength),
    initial,
  };
}

function choicesControl(property: JsonObject): FormControl | null {
  const { items } = property;
  if (!isJsonObject(items) || !areNumbers(property, ["minItems", "maxItems"])) return null;
  const listed = items.anyOf ?? items.enum ?? null;
  if (listed === null) {
    const isOther = typeof items.type === "string" && items.type !== "string";
    return isOther ? { kind: "unknown", schema: property, initial: null } : null;
  }
  const choices = choicesOf(listed);
  if (choices === null) return null;
  const given = Array.isArray(property.default) ? property.default : null;
  return {
    kind: "choices",
    choices,
    minItems: numberOf(property.minItems),
    maxItems: numberOf(property.maxItems),
    initial: given && choices.map(({ value }) => value).filter((value) => given.includes(value)),
  };
}

/** Plain values, or values with titles of their own. */
function choicesOf(listed: JsonValue): FormChoice[] | null {
  if (!Array.isArray(listed)) return null;
  const choices: FormChoice[] = [];
  for (const item of listed) {
    if (typeof item === "string") choices.push({ value: item, title: item, description: null });
    else if (isJsonObject(item) && typeof item.const === "string") {
      const title = textOf(item.title) ?? item.const;
      choices.push({ value: item.const, title, description: textOf(item.description) });
    } else return null;
  }
  return choices;
}

function knownChoice(choices: readonly FormChoice[], initial: string | null): string | null {
  return choices.some(({ value }) => value === initial) ? initial : null;
}

export function isTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function areNumbers(property: JsonObject, names: readonly string[]): boolean {
  return names.every((name) =>
    ["number", "undefined"].includes(typeof (property[name] ?? undefined)),
  );
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
