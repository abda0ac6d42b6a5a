import { type ReactNode, useId } from "react";

type SectionProps = { title: string; tells?: string; actions?: ReactNode; children: ReactNode };

/** One titled part of the settings. */
export function Section({ title, tells, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="font-semibold text-base">
            {title}
          </h2>
          {tells === undefined ? null : <p className="text-muted">{tells}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
