"use client";

import type { AgentEntry } from "@signalbox/protocol";
import { useMutation } from "@tanstack/react-query";
import { Plus, Stethoscope } from "lucide-react";
import Link from "next/link";
import { CopyButton } from "../../components/copy-button.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { failureOf } from "../../lib/failure.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { AgentReportView } from "./agent-report.tsx";

const SOURCE: Readonly<Record<AgentEntry["source"], string>> = {
  builtin: "Built in",
  config: "Configured",
  registry: "Registry",
};

/** One entry of the catalogue, with the way to install it and what a trial start showed. */
export function AgentItem({ agent }: { agent: AgentEntry }) {
  const trpc = useTRPC();
  const check = useMutation(trpc.agents.check.mutationOptions());
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {agent.title}
            <span className="font-mono font-normal text-muted text-xs">{agent.id}</span>
            {agent.installed ? (
              <Badge tone="success">Installed</Badge>
            ) : (
              <Badge tone="warning">Not installed</Badge>
            )}
            <Badge tone="outline">{SOURCE[agent.source]}</Badge>
          </h3>
          <p className="mt-0.5 truncate text-muted text-xs">
            {agent.version === null ? null : `Version ${agent.version} · `}
            <span className="font-mono" title={agent.entrypoint ?? undefined}>
              {agent.entrypoint ?? "no program of this name on PATH"}
            </span>
          </p>
        </div>
        <div className="flex shrink-0 items-center gap-2">
          <Button
            size="sm"
            disabled={check.isPending || !agent.installed}
            aria-label={`Check ${agent.title}`}
            onClick={() => check.mutate({ agent: agent.id })}
          >
            <Stethoscope aria-hidden />
            {check.isPending ? "Checking…" : "Check"}
          </Button>
          {agent.installed ? (
            <Button asChild size="sm">
              <Link href={`/sessions/new?agent=${encodeURIComponent(agent.id)}`}>
                <Plus aria-hidden />
                Session<span className="sr-only"> with {agent.title}</span>
              </Link>
            </Button>
          ) : null}
        </div>
      </div>
      {agent.installed || agent.installHint === null ? null : <Hint text={agent.installHint} />}
      <p role="status" className="sr-only">
        {check.isPending ? `${agent.title} is started on trial` : ""}
      </p>
      {check.error === null ? null : (
        <p role="alert" className="mt-3 text-danger">
          Not checked: {failureOf(check.error).message}
        </p>
      )}
      {check.data === undefined || check.isPending ? null : <AgentReportView report={check.data} />}
    </li>
  );
}

function Hint({ text }: { text: string }) {
  return (
    <div className="mt-2 flex items-center gap-2 rounded-md bg-inset py-0.5 pr-1 pl-3">
      <span className="shrink-0 text-muted text-xs">To install</span>
      <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{text}</code>
      <CopyButton text={() => text} label="Copy how to install" />
    </div>
  );
}
