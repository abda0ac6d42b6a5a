"use client";

import type { AdapterProcess } from "@signalbox/protocol";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Age } from "../../components/time.tsx";
import { Badge, type BadgeTone } from "../../components/ui/badge.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { byteText } from "../../lib/byte-text.ts";
import { useFleetEvents } from "../../lib/fleet.tsx";
import { sessionHref } from "../../lib/session-href.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { ProcessActions } from "./process-actions.tsx";

/** Memory grows without an event, so it is read again as long as the page is looked at. */
const SAMPLE_MS = 5_000;

const STATE: Readonly<Record<AdapterProcess["state"], { word: string; tone: BadgeTone }>> = {
  starting: { word: "Starting", tone: "info" },
  ready: { word: "Ready", tone: "success" },
  stopping: { word: "Stopping", tone: "neutral" },
  held: { word: "Held back", tone: "danger" },
};

/** Every adapter that runs, with everything it started. */
export function Processes() {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.agents.processes.queryOptions(undefined, { refetchInterval: SAMPLE_MS, staleTime: 0 }),
  );
  useFleetEvents((event) => {
    if (event.type !== "adapter_exited" && event.type !== "session_changed") return;
    // A failure shows below.
    void query.refetch().catch(() => undefined);
  });
  const processes = query.data?.processes ?? [];
  return (
    <section aria-labelledby="running">
      <div className="mb-2 flex items-baseline gap-3">
        <h2 id="running" className="font-semibold text-base">
          Running
        </h2>
        {processes.length === 0 ? null : (
          <p className="text-muted tabular-nums">
            {byteText(processes.reduce((sum, { rssBytes }) => sum + rssBytes, 0))} in all
          </p>
        )}
      </div>
      {query.data === undefined && query.error === null ? (
        <Skeleton className="h-16" />
      ) : query.data === undefined ? (
        <ErrorPanel
          error={query.error}
          onRetry={() => void query.refetch().catch(() => undefined)}
        />
      ) : processes.length === 0 ? (
        <p className="rounded-lg border border-dashed px-4 py-5 text-muted">
          No agent runs. One is started by the next prompt of its session and stays for a while
          after it.
        </p>
      ) : (
        <ul className="divide-y rounded-lg border bg-surface">
          {processes.map((process) => (
            <ProcessRow key={`${process.sessionId} ${process.pid}`} process={process} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ProcessRow({ process }: { process: AdapterProcess }) {
  const [isAsking, setAsking] = useState(false);
  const { word, tone } = STATE[process.state];
  const isHeld = process.state === "held";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <div className="flex items-center gap-2">
          <Link
            href={sessionHref(process.sessionId)}
            prefetch={false}
            className="truncate font-medium font-mono hover:underline"
          >
            {process.sessionId}
          </Link>
          <Badge tone={tone}>{word}</Badge>
        </div>
        <p className="truncate text-muted text-xs">
          {process.agent}
          {isHeld ? (
            " · it ended too often; the next start waits"
          ) : (
            <>
              {" "}
              · pid <span className="tabular-nums">{process.pid}</span>
            </>
          )}
        </p>
      </div>
      {isHeld ? null : (
        <dl className="flex gap-6 text-xs tabular-nums">
          <Figure name="Memory">{byteText(process.rssBytes)}</Figure>
          <Figure name="Processes">{process.processes}</Figure>
          <Figure name="Up">
            <Age iso={process.startedAt} />
          </Figure>
        </dl>
      )}
      <ProcessActions process={process} isAsking={isAsking} onAsking={setAsking} />
    </li>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-16">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
