"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { byteText } from "../../lib/byte-text.ts";
import { formatAge } from "../../lib/relative-time.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { Answer } from "./answer.tsx";
import { limitText } from "./limit-text.ts";
import { Section } from "./section.tsx";

/** Which server this is, how it does, and what it allows. */
export function About() {
  const trpc = useTRPC();
  const info = useQuery(trpc.system.info.queryOptions(undefined, { staleTime: 0 }));
  return (
    <Answer query={info}>
      {({ version, status, uptimeMs, limits, counts, storage }) => (
        <div className="space-y-8">
          <Section title="This server">
            <Facts>
              <Fact name="Version">{version}</Fact>
              <Fact name="State">{status}</Fact>
              <Fact name="Up for">{formatAge(uptimeMs)}</Fact>
              <Fact name="Sessions">{counts.sessions}</Fact>
              <Fact name="Live adapters">{counts.liveAdapters}</Fact>
              <Fact name="Running prompts">{counts.runningPrompts}</Fact>
              <Fact name="Pending permissions">{counts.pendingPermissions}</Fact>
              <Fact name="Database">{byteText(storage.databaseBytes)}</Fact>
              <Fact name="Write-ahead log">{byteText(storage.walBytes)}</Fact>
            </Facts>
          </Section>
          <Section
            title="Limits in force"
            tells="Set under limits.acp in signalbox.config.json; they hold from the next start."
          >
            <Facts>
              {Object.entries(limits).map(([name, value]) => (
                <Fact key={name} name={<span className="font-mono">{name}</span>}>
                  {limitText(name, value)}
                </Fact>
              ))}
            </Facts>
          </Section>
        </div>
      )}
    </Answer>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y rounded-lg border bg-surface">{children}</dl>;
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-4 py-1.5">
      <dt className="min-w-0 text-muted text-xs [overflow-wrap:anywhere]">{name}</dt>
      <dd className="shrink-0 tabular-nums">{children}</dd>
    </div>
  );
}
