"use client";

import type { AgentEntry, PermissionPolicy } from "@signalbox/protocol";
import { type ReactNode, useId } from "react";
import { Badge } from "../../components/ui/badge.tsx";
import { cn } from "../../lib/cn.ts";
import { FieldError } from "./field.tsx";

type AgentChoiceProps = {
  agents: readonly AgentEntry[];
  value: string;
  onChange: (agent: string) => void;
  error: string | undefined;
};

/** The catalogue; an agent that is not installed says how it would be. */
export function AgentChoice({ agents, value, onChange, error }: AgentChoiceProps) {
  return (
    <ChoiceGroup legend="Agent" error={error}>
      {(name) =>
        agents.map((agent) => (
          <Choice
            key={agent.id}
            name={name}
            value={agent.id}
            isChecked={agent.id === value}
            isDisabled={!agent.installed}
            onChoose={() => onChange(agent.id)}
            title={
              <>
                {agent.title}
                <span className="font-mono font-normal text-muted text-xs">{agent.id}</span>
                {agent.version === null ? null : (
                  <span className="font-normal text-muted text-xs">{agent.version}</span>
                )}
                {agent.installed ? null : <Badge tone="warning">Not installed</Badge>}
              </>
            }
            tells={agent.installed ? null : agent.installHint}
          />
        ))
      }
    </ChoiceGroup>
  );
}

const POLICIES: readonly { value: PermissionPolicy; title: string; tells: string }[] = [
  {
    value: "ask",
    title: "Ask",
    tells: "Each request waits, without limit, until someone answers it here.",
  },
  {
    value: "allow_all",
    title: "Allow everything",
    tells:
      "Requests are allowed at once and leave no trace in the history, only in the audit log. For folders that may break.",
  },
  {
    value: "reject_all",
    title: "Reject everything",
    tells: "Requests are rejected at once. The agent can only do what it never asks for.",
  },
];

type PolicyChoiceProps = {
  value: PermissionPolicy;
  onChange: (policy: PermissionPolicy) => void;
  error: string | undefined;
};

export function PolicyChoice({ value, onChange, error }: PolicyChoiceProps) {
  return (
    <ChoiceGroup
      legend="Permission requests"
      hint="How the agent's requests are answered. It cannot be changed later, and it is no sandbox."
      error={error}
    >
      {(name) =>
        POLICIES.map((policy) => (
          <Choice
            key={policy.value}
            name={name}
            value={policy.value}
            isChecked={policy.value === value}
            isDisabled={false}
            onChoose={() => onChange(policy.value)}
            title={policy.title}
            tells={policy.tells}
          />
        ))
      }
    </ChoiceGroup>
  );
}

type ChoiceGroupProps = {
  legend: string;
  hint?: string;
  error: string | undefined;
  children: (name: string) => ReactNode;
};

function ChoiceGroup({ legend, hint, error, children }: ChoiceGroupProps) {
  const id = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-legend`}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="min-w-0"
    >
      <p id={`${id}-legend`} className="mb-1.5 font-medium">
        {legend}
      </p>
      <div className="divide-y overflow-hidden rounded-md border border-border-strong bg-surface">
        {children(id)}
      </div>
      <FieldError id={`${id}-error`} error={error} />
      {hint === undefined ? null : <p className="mt-1.5 text-muted text-xs">{hint}</p>}
    </div>
  );
}

type ChoiceProps = {
  name: string;
  value: string;
  isChecked: boolean;
  isDisabled: boolean;
  onChoose: () => void;
  title: ReactNode;
  tells: string | null;
};

function Choice({ isChecked, isDisabled, ...props }: ChoiceProps) {
  return (
    <label
      className={cn(
        "flex min-h-10 gap-3 px-3 py-2.5 has-focus-visible:bg-hover",
        isDisabled ? "cursor-not-allowed" : "cursor-pointer hover:bg-hover",
        isChecked && "bg-accent-soft hover:bg-accent-soft has-focus-visible:bg-accent-soft",
      )}
    >
      <input
        type="radio"
        name={props.name}
        value={props.value}
        checked={isChecked}
        disabled={isDisabled}
        onChange={props.onChoose}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2 font-medium">{props.title}</span>
        {props.tells === null ? null : (
          <span className="mt-0.5 block break-words text-muted text-xs">{props.tells}</span>
        )}
      </span>
    </label>
  );
}
