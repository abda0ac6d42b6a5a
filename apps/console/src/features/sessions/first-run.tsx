"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Logo } from "../../components/logo.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { failureOf } from "../../lib/failure.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { readableSlug } from "../../lib/slug.ts";
import { useTRPC } from "../../lib/trpc.tsx";

/** What an operator sees before there is any session: the shortest way to one. */
export function FirstRun() {
  const trpc = useTRPC();
  const router = useRouter();
  const agents = useQuery(trpc.agents.list.queryOptions());
  const demo = agents.data?.agents.find((agent) => agent.id === "demo" && agent.installed);
  const open = useMutation(
    trpc.sessions.open.mutationOptions({
      onSuccess: (_, { sessionId }) => router.push(sessionHref(sessionId ?? "main")),
    }),
  );
  const start = () =>
    open.mutate({ sessionId: `demo-${readableSlug()}`, agent: "demo", permissionPolicy: "ask" });
  return (
    <EmptyState
      icon={<Logo />}
      title="No sessions yet"
      actions={
        <>
          {demo === undefined ? null : (
            <Button variant="primary" size="lg" onClick={start} disabled={open.isPending}>
              <Play aria-hidden />
              {open.isPending ? "Starting…" : "Start the demo"}
            </Button>
          )}
          <Button asChild size="lg">
            <Link href="/sessions/new">New session</Link>
          </Button>
        </>
      }
    >
      <p>
        A session is one agent at work in one folder, with a history that outlives both. The demo
        agent needs no key and shows everything: messages, tools, and requests for permission.
      </p>
      {open.error === null ? null : (
        <p role="alert" className="mt-3 text-danger">
          {failureOf(open.error).message}
        </p>
      )}
    </EmptyState>
  );
}
