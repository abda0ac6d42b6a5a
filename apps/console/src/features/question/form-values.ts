/** What stands in a question's inputs, and the answer that it makes. No network, no browser. */
import {
  type AnswerProblem,
  checkAnswer,
  type FormControl,
  type FormField,
  type JsonObject,
  type JsonValue,
} from "@signalbox/protocol";

/** As the inputs hold it; null for a box that nobody has touched. */
export type FieldValue = string | boolean | readonly string[] | null;
export type FormValues = Readonly<Record<string, FieldValue>>;

/** Every input as it stands before anyone types: with the agent's defaults. */
export function initialValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name, control }) => [name, initialValue(control)]));
}

function initialValue(control: FormControl): FieldValue {
  switch (control.kind) {
    case "text":
    case "choice":
      return control.initial ?? "";
    case "number":
      return control.initial === null ? "" : String(control.initial);
    case "boolean":
      return control.initial;
    case "choices":
      return control.initial ?? [];
    case "unknown":
      return null;
  }
}

/** The answer, and what in it does not fit. What was left empty is left out. */
export function answerOf(
  fields: readonly FormField[],
  values: FormValues,
): { content: JsonObject; problems: AnswerProblem[] } {
  const given = fields.flatMap(({ name, isRequired, control }) => {
    const value = contentOf(control, values[name] ?? null, isRequired);
    return value === undefined ? [] : [[name, value] as const];
  });
  const content = Object.fromEntries<JsonValue>(given);
  // Without its defaults: what someone has emptied is not to come back unseen. Foreign patterns
  // are the server's to evaluate.
  const bare = fields.map((field) => ({ ...field, control: { ...field.control, initial: null } }));
  const { problems } = checkAnswer(bare, content, () => null);
  return { content, problems };
}

function contentOf(
  control: FormControl,
  value: FieldValue,
  isRequired: boolean,
): JsonValue | undefined {
  switch (control.kind) {
    case "text":
    case "choice":
      return typeof value === "string" && value !== "" ? value : undefined;
    case "number":
      return typeof value === "string" ? numberOf(value) : undefined;
    case "boolean":
      if (typeof value === "boolean") return value;
      // An empty box that must be answered says no.
      return isRequired ? false : undefined;
    case "choices":
      if (typeof value !== "object" || value === null) return undefined;
      return value.length > 0 || isRequired ? [...value] : undefined;
    case "unknown":
      return undefined;
  }
}

/** Text that is no number stays text, so that the check names the field. */
function numberOf(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : text;
}

/** What the server says of the answer, by field. */
export function problemsOf(details: Readonly<Record<string, unknown>> | null): AnswerProblem[] {
  const list = details?.problems;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const field: unknown = Reflect.get(item, "field");
    const problem: unknown = Reflect.get(item, "problem");
    return typeof field === "string" && typeof problem === "string" ? [{ field, problem }] : [];
  });
}
