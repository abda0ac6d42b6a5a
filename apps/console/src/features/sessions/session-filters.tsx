"use client";

import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { stateWord } from "../../components/session-state.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Select } from "../../components/ui/select.tsx";
import type { SessionFilter } from "../../lib/fleet-cache.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { isFiltered, STATUSES } from "./filter-params.ts";

const TYPING_MS = 250;

type FiltersProps = { filter: SessionFilter; onChange: (filter: SessionFilter) => void };

export function SessionFilters({ filter, onChange }: FiltersProps) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions());
  const ids = (agents.data?.agents ?? []).map((agent) => agent.id);
  // A session can name an agent that the configuration no longer has.
  if (filter.agent !== undefined && !ids.includes(filter.agent)) ids.push(filter.agent);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchField filter={filter} onChange={onChange} />
      <Select
        aria-label="Agent"
        className="min-w-32 flex-1 sm:flex-none"
        value={filter.agent ?? ""}
        onChange={(event) => onChange({ ...filter, agent: event.target.value || undefined })}
      >
        <option value="">Any agent</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </Select>
      <Select
        aria-label="State"
        className="min-w-32 flex-1 sm:flex-none"
        value={filter.status ?? ""}
        onChange={(event) =>
          onChange({ ...filter, status: STATUSES.find((one) => one === event.target.value) })
        }
      >
        <option value="">Any state</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {stateWord(status)}
          </option>
        ))}
      </Select>
      {isFiltered(filter) ? (
        <Button variant="ghost" onClick={() => onChange({})}>
          <X aria-hidden />
          Clear
        </Button>
      ) : null}
    </search>
  );
}

/** Asks the server once typing pauses; follows the address when that changes from elsewhere. */
function SearchField({ filter, onChange }: FiltersProps) {
  const inAddress = filter.search ?? "";
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (text.trim() !== inAddress) setText(inAddress);
  }
  const latest = useRef({ filter, onChange });
  useEffect(() => {
    latest.current = { filter, onChange };
  });
  useEffect(() => {
    const search = text.trim();
    if (search === (latest.current.filter.search ?? "")) return;
    const timer = setTimeout(() => {
      const now = latest.current;
      now.onChange({ ...now.filter, search: search || undefined });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="relative w-full sm:w-72">
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-muted"
      />
      <Input
        type="search"
        aria-label="Search sessions"
        placeholder="Title, id or folder"
        className="pl-8"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
