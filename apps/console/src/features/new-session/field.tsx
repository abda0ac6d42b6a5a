"use client";

import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

interface ControlProps {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

type FieldProps = {
  label: string;
  hint: string;
  error: string | undefined;
  children: (props: ControlProps) => ReactNode;
};

/** A label, one control, its hint and its error, all tied together for a screen reader. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`,
        "aria-invalid": error !== undefined,
      })}
      <FieldError id={`${id}-error`} error={error} />
      <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
        {hint}
      </p>
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={id} role="alert" className="mt-1.5 flex items-start gap-1.5 text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{error}</span>
    </p>
  );
}
