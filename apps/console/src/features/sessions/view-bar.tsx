"use client";

import { Bookmark, X } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { cn } from "../../lib/cn.ts";
import type { SessionFilter } from "../../lib/fleet-cache.ts";
import { useStoredText } from "../../lib/preference.ts";
import { filterOfParams, paramsOfFilter } from "./filter-params.ts";
import { MAX_NAME_CHARACTERS, readViews, withoutView, withView } from "./saved-views.ts";

/** The views that this browser keeps, and the way to keep the filter that is set. */
export function ViewBar({
  filter,
  onChange,
}: {
  filter: SessionFilter;
  onChange: (filter: SessionFilter) => void;
}) {
  const [text, store] = useStoredText("views");
  const views = useMemo(() => readViews(text), [text]);
  const [isNaming, setNaming] = useState(false);
  const params = paramsOfFilter(filter);
  const isKept = views.some((view) => view.params === params);
  if (views.length === 0 && params === "") return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1.5">
      <fieldset className="contents">
        <legend className="sr-only">Views</legend>
        {views.map((view) => (
          <span
            key={view.name}
            className={cn(
              "inline-flex h-7 items-center rounded-md border text-xs pointer-coarse:h-10",
              view.params === params ? "border-accent bg-accent-soft" : "bg-surface",
            )}
          >
            <button
              type="button"
              aria-pressed={view.params === params}
              onClick={() => onChange(filterOfParams(new URLSearchParams(view.params)))}
              className="h-full rounded-l-md px-2 font-medium hover:bg-hover"
            >
              {view.name}
            </button>
            <button
              type="button"
              aria-label={`Remove the view ${view.name}`}
              onClick={() => store(JSON.stringify(withoutView(views, view.name)))}
              className="h-full rounded-r-md px-1.5 text-muted hover:bg-hover"
            >
              <X aria-hidden className="size-3" />
            </button>
          </span>
        ))}
      </fieldset>
      {params === "" || isKept ? null : isNaming ? (
        <NameForm
          onName={(name) => {
            store(JSON.stringify(withView(views, { name, params })));
            setNaming(false);
          }}
          onCancel={() => setNaming(false)}
        />
      ) : (
        <Button size="sm" variant="ghost" onClick={() => setNaming(true)}>
          <Bookmark aria-hidden />
          Keep as a view
        </Button>
      )}
    </div>
  );
}

function NameForm({ onName, onCancel }: { onName: (name: string) => void; onCancel: () => void }) {
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") onName(name);
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1.5">
      <Input
        aria-label="Name of the view"
        autoFocus
        autoComplete="off"
        maxLength={MAX_NAME_CHARACTERS}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
        }}
        className="h-7 w-40"
      />
      <Button size="sm" type="submit" disabled={name.trim() === ""}>
        Keep
      </Button>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
