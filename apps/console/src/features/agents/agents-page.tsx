"use client";

import type { AgentEntry } from "@signalbox/protocol";
import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { AgentItem } from "./agent-item.tsx";
import { Processes } from "./processes.tsx";

/** What can be started here, whether it can, and what runs. */
export function AgentsPage() {
  return (
    <Page title="Agents">
      <div className="space-y-8">
        <Processes />
        <CatalogueSection />
      </div>
    </Page>
  );
}

function CatalogueSection() {
  const trpc = useTRPC();
  // Answered from the configuration and PATH, so another look is cheap and tells of an installation.
  const agents = useQuery(trpc.agents.list.queryOptions(undefined, { staleTime: 0 }));
  return (
    <section aria-labelledby="catalogue">
      <h2 id="catalogue" className="mb-2 font-semibold text-base">
        Catalogue
      </h2>
      {agents.data !== undefined ? (
        <Catalogue agents={agents.data.agents} />
      ) : agents.error !== null ? (
        <ErrorPanel
          error={agents.error}
          onRetry={() => void agents.refetch().catch(() => undefined)}
        />
      ) : (
        <div role="status" aria-label="Loading the catalogue" className="space-y-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </div>
      )}
    </section>
  );
}

function Catalogue({ agents }: { agents: readonly AgentEntry[] }) {
  if (agents.length === 0) {
    return (
      <EmptyState icon={<Bot aria-hidden />} title="No agent is configured">
        Name agents in <code className="font-mono">signalbox.config.json</code> and start the server
        again.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y rounded-lg border bg-surface">
      {agents.map((agent) => (
        <AgentItem key={agent.id} agent={agent} />
      ))}
    </ul>
  );
}
