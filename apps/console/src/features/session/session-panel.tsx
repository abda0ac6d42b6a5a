"use client";

import type { JsonObject, SessionConfig, SessionInfo } from "@signalbox/protocol";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { RelativeTime } from "../../components/time.tsx";
import { hintOf } from "./composer/command-list.tsx";
import { type ChangeConfig, ConfigControls, ModeLine } from "./composer/config-controls.tsx";
import { asText } from "./content/json-read.ts";
import { PlanEntries, planProgress } from "./content/plan-view.tsx";
import { TerminalOutput } from "./tools/terminal-output.tsx";
import type { PlanRow } from "./transcript/transcript-rows.ts";

const POLICY: Readonly<Record<SessionInfo["permissionPolicy"], string>> = {
  ask: "asks you",
  allow_all: "allows by itself, without a record here",
  reject_all: "rejects by itself, without a record here",
};

export interface PanelContent {
  session: SessionInfo | null;
  plan: PlanRow | null;
  config: SessionConfig | null;
  pendingConfigId: string | null;
  usage: string | null;
  stderr: string;
  onConfig: ChangeConfig;
  onCommand: (name: string) => void;
}

/** What belongs to the session beside its transcript. */
export function SessionPanel(content: PanelContent) {
  const { session, plan, config, pendingConfigId, usage, stderr, onConfig, onCommand } = content;
  const options = config?.options ?? [];
  const commands = config?.availableCommands ?? [];
  return (
    <div className="divide-y">
      {plan === null || plan.entries.length === 0 ? null : (
        <Section title="Plan" aside={planProgress(plan.entries)}>
          <PlanEntries entries={plan.entries} />
        </Section>
      )}
      {options.length > 0 || config?.modes ? (
        <Section title="Options">
          {options.length > 0 ? (
            <ConfigControls options={options} pendingId={pendingConfigId} onChange={onConfig} />
          ) : (
            <ModeLine modes={config?.modes ?? null} />
          )}
          {session?.adapter === "unloaded" && options.length > 0 ? (
            <p className="mt-2 text-muted text-xs">A change starts the agent again.</p>
          ) : null}
        </Section>
      ) : null}
      {commands.length > 0 ? (
        <Section title="Commands">
          <Commands commands={commands} onCommand={onCommand} />
        </Section>
      ) : null}
      {session === null ? null : (
        <Section title="Details">
          <Details session={session} usage={usage} />
        </Section>
      )}
      {stderr === "" ? null : (
        <Section title="Stderr">
          <TerminalOutput output={stderr} isLive />
        </Section>
      )}
    </div>
  );
}

function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: string;
  children: ReactNode;
}) {
  return (
    <section className="px-4 py-3.5">
      <div className="mb-2 flex items-baseline gap-2">
        <h2 className="font-medium text-xs">{title}</h2>
        {aside === undefined ? null : <span className="text-muted text-xs">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

function Commands({
  commands,
  onCommand,
}: {
  commands: readonly JsonObject[];
  onCommand: (name: string) => void;
}) {
  return (
    <ul className="-mx-1.5 max-h-64 overflow-y-auto">
      {commands.map((command) => {
        const name = asText(command.name);
        if (name === null) return null;
        return (
          <li key={name}>
            <button
              type="button"
              title={[hintOf(command), asText(command.description)].filter(Boolean).join(": ")}
              onClick={() => onCommand(name)}
              className="w-full truncate rounded-sm px-1.5 py-1 text-left text-xs -outline-offset-2 hover:bg-hover pointer-coarse:min-h-10"
            >
              <span className="font-mono">/{name}</span>{" "}
              <span className="text-muted">{asText(command.description)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Details({ session, usage }: { session: SessionInfo; usage: string | null }) {
  return (
    <dl className="space-y-2 text-xs">
      <Detail name="Session id" copy={session.sessionId}>
        <span className="font-mono">{session.sessionId}</span>
      </Detail>
      <Detail name="Agent">{session.agent}</Detail>
      <Detail name="Directory" copy={session.cwd}>
        <span className="font-mono">{session.cwd}</span>
      </Detail>
      {session.additionalDirectories.length > 0 ? (
        <Detail name="More directories">
          <span className="font-mono">{session.additionalDirectories.join("\n")}</span>
        </Detail>
      ) : null}
      <Detail name="Permissions">{POLICY[session.permissionPolicy]}</Detail>
      {usage === null ? null : <Detail name="Usage">{usage}</Detail>}
      {session.queuedPrompts.length > 0 ? (
        <Detail name="Queued messages">{session.queuedPrompts.length}</Detail>
      ) : null}
      <Detail name="Created">
        <RelativeTime iso={session.createdAt} />
      </Detail>
      <Detail name="Last change">
        <RelativeTime iso={session.updatedAt} />
      </Detail>
      <Detail name="Events">{session.latestSequence}</Detail>
    </dl>
  );
}

function Detail({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2">
      <dt className="w-24 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-start gap-2">
        <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {children}
        </span>
        {copy === undefined ? null : (
          <CopyButton text={() => copy} label={`Copy ${name.toLowerCase()}`} className="-my-1.5" />
        )}
      </dd>
    </div>
  );
}
