"use client";

import type { FormChoice, FormControl, FormField } from "@signalbox/protocol";
import { useId } from "react";
import { Input } from "../../components/ui/input.tsx";
import { Select } from "../../components/ui/select.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { FieldError } from "../new-session/field.tsx";
import { RawJson } from "../session/content/raw-json.tsx";
import type { FieldValue } from "./form-values.ts";

/** Longer answers get more than one line. */
const LONG_TEXT_CHARACTERS = 200;

type FieldInputProps = {
  field: FormField;
  value: FieldValue;
  /** What does not fit, to be read after the field's name. */
  problem: string | undefined;
  isOff: boolean;
  onChange: (value: FieldValue) => void;
};

/** One field of a question: its name, its input, what the agent says of it, what does not fit. */
export function FieldInput(props: FieldInputProps) {
  const { field, problem } = props;
  const id = useId();
  const name = field.title ?? field.name;
  const hint = hintOf(field);
  const described = [
    problem === undefined ? null : `${id}-error`,
    hint === null ? null : `${id}-hint`,
  ].filter((part) => part !== null);
  const common = {
    id,
    "aria-invalid": problem !== undefined,
    "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    disabled: props.isOff,
  };
  const label = (
    <>
      {name}
      {field.isRequired ? null : <span className="font-normal text-muted"> · optional</span>}
    </>
  );
  const foot = (
    <>
      <FieldError
        id={`${id}-error`}
        error={problem === undefined ? undefined : `${name} ${problem}`}
      />
      {hint === null ? null : (
        <p id={`${id}-hint`} className="mt-1 text-muted text-xs [overflow-wrap:anywhere]">
          {hint}
        </p>
      )}
    </>
  );
  const { control } = field;
  if (control.kind === "choices") {
    return <ChoicesInput {...props} choices={control.choices} {...{ label, foot, common }} />;
  }
  if (control.kind === "unknown") return <UnknownField control={control} label={label} />;
  if (control.kind === "boolean") {
    return (
      <div data-field={field.name}>
        <label className="flex items-start gap-2 font-medium">
          <input
            type="checkbox"
            className={BOX}
            {...common}
            checked={props.value === true}
            onChange={(event) => props.onChange(event.target.checked)}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
        </label>
        {foot}
      </div>
    );
  }
  return (
    <div data-field={field.name}>
      <label htmlFor={id} className="mb-1 block font-medium [overflow-wrap:anywhere]">
        {label}
      </label>
      <OneInput {...props} control={control} common={common} />
      {foot}
    </div>
  );
}

interface CommonProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
  disabled: boolean;
}

const INPUT_TYPES: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date" };

function OneInput({
  field,
  control,
  value,
  onChange,
  common,
}: FieldInputProps & {
  control: Extract<FormControl, { kind: "text" | "number" | "choice" }>;
  common: CommonProps;
}) {
  const text = typeof value === "string" ? value : "";
  if (control.kind === "choice") {
    return (
      <Select
        {...common}
        className="w-full"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      >
        {/* Without it the browser would answer with the first choice by itself. */}
        {field.isRequired && text !== "" ? null : <option value="">Choose…</option>}
        {control.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </Select>
    );
  }
  const typed = { ...common, value: text, autoComplete: "off", spellCheck: false };
  if (control.kind === "number") {
    return (
      <Input
        {...typed}
        inputMode={control.isInteger ? "numeric" : "decimal"}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const isLong = control.format === null && (control.maxLength ?? 0) >= LONG_TEXT_CHARACTERS;
  if (isLong) return <Textarea {...typed} onChange={(event) => onChange(event.target.value)} />;
  return (
    <Input
      {...typed}
      type={INPUT_TYPES[control.format ?? ""] ?? "text"}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function ChoicesInput({
  field,
  value,
  onChange,
  choices,
  label,
  foot,
  common: { id, ...common },
}: FieldInputProps & {
  choices: readonly FormChoice[];
  label: React.ReactNode;
  foot: React.ReactNode;
  common: CommonProps;
}) {
  const chosen = typeof value === "object" && value !== null ? value : [];
  const toggle = (item: string, isOn: boolean) =>
    // In the agent's order, whichever was pressed first.
    onChange(
      choices
        .map((choice) => choice.value)
        .filter((known) => (known === item ? isOn : chosen.includes(known))),
    );
  return (
    <fieldset
      id={id}
      data-field={field.name}
      aria-describedby={common["aria-describedby"]}
      className="min-w-0"
    >
      <legend className="mb-1 font-medium [overflow-wrap:anywhere]">{label}</legend>
      <div className="space-y-1">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-start gap-2">
            <input
              type="checkbox"
              className={BOX}
              aria-invalid={common["aria-invalid"]}
              disabled={common.disabled}
              checked={chosen.includes(choice.value)}
              onChange={(event) => toggle(choice.value, event.target.checked)}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {choice.title}
              {choice.description === null ? null : (
                <span className="block text-muted text-xs">{choice.description}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {foot}
    </fieldset>
  );
}

const BOX = "mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5";

/** A field of a kind that came later than this console: as it came, and never an input. */
function UnknownField({
  control,
  label,
}: {
  control: Extract<FormControl, { kind: "unknown" }>;
  label: React.ReactNode;
}) {
  return (
    <div>
      <p className="mb-1 font-medium [overflow-wrap:anywhere]">{label}</p>
      <p className="mb-1 text-muted text-xs">
        This console has no input for a field of this kind and leaves it out.
      </p>
      <RawJson label="As the agent describes it" value={control.schema} />
    </div>
  );
}

/** The agent's own words, then what the input must hold. */
function hintOf({ description, control }: FormField): string | null {
  const parts = [description, limitsOf(control)].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? null : parts.join(" · ");
}

function limitsOf(control: FormControl): string | null {
  switch (control.kind) {
    case "text":
      if (control.format === "date-time") return "For example 2027-01-31T09:30:00Z";
      return lengths(control.minLength, control.maxLength, "character");
    case "number":
      return lengths(control.minimum, control.maximum, "");
    case "choices":
      return lengths(control.minItems, control.maxItems, "choice");
    default:
      return null;
  }
}

function lengths(min: number | null, max: number | null, unit: string): string | null {
  const counted = (count: number) => {
    if (unit === "") return String(count);
    return `${count} ${count === 1 ? unit : `${unit}s`}`;
  };
  if (min !== null && max !== null) return `${min} to ${counted(max)}`;
  if (min !== null && (unit === "" || min > 0)) return `At least ${counted(min)}`;
  return max === null ? null : `At most ${counted(max)}`;
}
