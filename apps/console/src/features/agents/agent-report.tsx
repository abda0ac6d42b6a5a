"use client";

import type { AgentReport, JsonObject } from "@signalbox/protocol";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { formatDuration } from "../../lib/duration.ts";
import { failureOf } from "../../lib/failure.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { asText } from "../session/content/json-read.ts";
import { RawJson } from "../session/content/raw-json.tsx";
import { TerminalOutput } from "../session/tools/terminal-output.tsx";
import { stepFailure } from "./step-failure.ts";

/** What a trial start of an agent showed, and what to do about it. */
export function AgentReportView({ report }: { report: AgentReport }) {
  const { steps, advice, deviations, authMethods, capabilities, agentInfo, stderrTail } = report;
  const name = [asText(agentInfo?.title) ?? asText(agentInfo?.name), asText(agentInfo?.version)]
    .filter((part) => part !== null)
    .join(" ");
  return (
    <div className="mt-3 space-y-3 rounded-md border bg-background px-4 py-3">
      <p className="font-medium">
        {report.ok ? "It works." : "It does not work yet."}
        {name === "" ? null : <span className="font-normal text-muted"> {name}</span>}
        {report.protocolVersion === null ? null : (
          <span className="font-normal text-muted"> · ACP {String(report.protocolVersion)}</span>
        )}
      </p>
      <ol className="space-y-1.5">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      <Sentences title="What to do" sentences={advice} />
      {authMethods.length === 0 ? null : (
        <Part title="Ways to log in">
          <ul className="space-y-2">
            {authMethods.map((method) => (
              <AuthMethod key={asText(method.id)} agent={report.agent} method={method} />
            ))}
          </ul>
        </Part>
      )}
      <Sentences title="Other than the protocol says" sentences={deviations} />
      {stderrTail.trim() === "" ? null : (
        <Part title="Stderr">
          <TerminalOutput output={stderrTail} isLive={false} className="max-h-52" />
        </Part>
      )}
      {capabilities === null ? null : <RawJson label="Capabilities" value={capabilities} />}
    </div>
  );
}

function Step({ step }: { step: AgentReport["steps"][number] }) {
  return (
    <li>
      <div className="flex items-center gap-2">
        {step.ok ? (
          <CircleCheck aria-label="Done" className="size-4 shrink-0 text-success" />
        ) : (
          <CircleX aria-label="Failed" className="size-4 shrink-0 text-danger" />
        )}
        <span className="font-mono text-xs">{step.name}</span>
        <span className="text-muted text-xs tabular-nums">{formatDuration(step.durationMs)}</span>
      </div>
      {step.error === undefined ? null : (
        <p className="mt-0.5 ml-6 text-danger [overflow-wrap:anywhere]">
          {stepFailure(step.error)}{" "}
          <span className="font-mono text-muted text-xs">{step.error.appCode}</span>
        </p>
      )}
    </li>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className="mb-1 font-medium text-muted text-xs">{title}</h4>
      {children}
    </section>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="list-disc space-y-1 pl-4 marker:text-faint">
        {sentences.map((sentence) => (
          <li key={sentence} className="[overflow-wrap:anywhere]">
            {sentence}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function AuthMethod({ agent, method }: { agent: string; method: JsonObject }) {
  const trpc = useTRPC();
  const login = useMutation(trpc.agents.authenticate.mutationOptions());
  const methodId = asText(method.id);
  const name = asText(method.name) ?? methodId;
  // Only the agent's own kind runs without a terminal; ACP leaves out the type for it.
  const isAgentsOwn = method.type === undefined || method.type === "agent";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-48">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-muted text-xs [overflow-wrap:anywhere]">
          {asText(method.description) ??
            (isAgentsOwn ? null : "In a terminal on the server, with the agent's own program.")}
        </p>
        {login.error === null ? null : (
          <p role="alert" className="text-danger text-xs">
            Not logged in: {failureOf(login.error).message}
          </p>
        )}
      </div>
      {isAgentsOwn && methodId !== null ? (
        <Button
          size="sm"
          disabled={login.isPending}
          onClick={() => login.mutate({ agent, methodId })}
        >
          {login.isPending ? "Waiting…" : login.isSuccess ? "Logged in" : "Log in"}
          <span className="sr-only"> by {name}</span>
        </Button>
      ) : null}
    </li>
  );
}
