"use client";

import {
  type AnswerProblem,
  type JsonObject,
  type PendingQuestion,
  readForm,
} from "@signalbox/protocol";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { RawJson } from "../session/content/raw-json.tsx";
import { FieldInput } from "./field-input.tsx";
import {
  answerOf,
  type FieldValue,
  type FormValues,
  initialValues,
  problemsOf,
} from "./form-values.ts";
import { draftOf, keepDraft } from "./question-drafts.ts";
import type { QuestionState } from "./use-question-answer.ts";

type FormQuestionProps = {
  question: PendingQuestion;
  state: QuestionState;
  isOff: boolean;
  onAnswer: (content: JsonObject) => void;
  /** Decline and cancel, which need no form. */
  children: React.ReactNode;
};

/** The fields of a question. What does not fit is said at its field. */
export function FormQuestion({ question, state, isOff, onAnswer, children }: FormQuestionProps) {
  const { requestId, schema } = question;
  const fields = useMemo(() => readForm(schema ?? {}) ?? [], [schema]);
  const [values, setValues] = useState(() => draftOf(requestId) ?? initialValues(fields));
  const [problems, setProblems] = useState<readonly AnswerProblem[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const failure = state.step === "open" ? state.failure : null;
  useEffect(() => {
    if (failure?.appCode === "invalid_answer") setProblems(problemsOf(failure.details));
  }, [failure]);
  useEffect(() => {
    const field = problems[0]?.field;
    if (field !== undefined) focusField(form.current, field);
  }, [problems]);

  const change = (name: string, value: FieldValue) => {
    const next: FormValues = { ...values, [name]: value };
    setValues(next);
    keepDraft(requestId, next);
    setProblems((old) => old.filter(({ field }) => field !== name));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = answerOf(fields, values);
    setProblems(answer.problems);
    if (answer.problems.length === 0) onAnswer(answer.content);
  };
  const missing = fields.find(
    ({ isRequired, control }) => isRequired && control.kind === "unknown",
  );

  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-3">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? null}
          problem={problems.find((problem) => problem.field === field.name)?.problem}
          isOff={isOff}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <RawJson label="Raw schema" value={schema ?? {}} />
      {missing === undefined ? null : (
        <p className="text-sm text-warning">
          “{missing.title ?? missing.name}” must be answered and cannot be answered here.
        </p>
      )}
      <p className="text-muted text-xs">
        The agent gets what you type. Leave out passwords and keys.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          className="max-sm:w-full"
          disabled={isOff || missing !== undefined}
        >
          {state.step === "sending" && state.action === "accept" ? "Sending…" : "Send answer"}
        </Button>
        {children}
      </div>
    </form>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.querySelector(`[data-field="${CSS.escape(name)}"]`);
  const input = field?.querySelector("input, textarea, select");
  if (input instanceof HTMLElement) input.focus();
}
