"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { failureOf } from "../../lib/failure.ts";
import { toast } from "../../lib/toast.ts";
import { useTRPC, useTRPCClient } from "../../lib/trpc.tsx";
import { joinedStderr } from "./stderr-text.ts";
import type { TranscriptSnapshot } from "./transcript/transcript.ts";

/** The session's stored record and configuration, read again when its events tell of a change. */
export function useSessionRecord(sessionId: string, { facts }: TranscriptSnapshot) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const record = useQuery(trpc.sessions.get.queryOptions({ sessionId }));
  const config = useQuery(trpc.sessions.config.queryOptions({ sessionId }));
  const { commands, configOptions, modeId } = facts;
  useEffect(() => {
    if (commands === null && configOptions === null && modeId === null) return;
    const { queryKey } = trpc.sessions.config.queryOptions({ sessionId });
    // A failure shows at the query's own reader.
    void queryClient.invalidateQueries({ queryKey }).catch(() => undefined);
  }, [commands, configOptions, modeId, queryClient, sessionId, trpc]);
  return { session: record.data ?? null, config: config.data ?? null };
}

/** The end of the adapter's stderr, from before this page watched too. */
export function useStderr(sessionId: string, heard: string, isLive: boolean): string {
  const trpc = useTRPC();
  // Read once the stream runs, so that nothing falls between the two.
  const stored = useQuery(trpc.agents.stderr.queryOptions({ sessionId }, { enabled: isLive }));
  const text = stored.data?.text ?? "";
  return useMemo(() => joinedStderr(text, heard), [text, heard]);
}

/** Commands about the session as a whole. Each tells by a toast when it was refused. */
export function useSessionActions(sessionId: string, openPromptId: string | null) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [cancellingId, setCancellingId] = useState<string | null>(null);
  const [pendingConfigId, setPendingConfigId] = useState<string | null>(null);
  const isCancelling = cancellingId !== null && cancellingId === openPromptId;

  const cancel = async () => {
    if (openPromptId === null || isCancelling) return;
    setCancellingId(openPromptId);
    try {
      const { status } = await client.sessions.cancelPrompt.mutate({ sessionId });
      if (status === "no_active_prompt") setCancellingId(null);
    } catch (error) {
      setCancellingId(null);
      toast.error("Not cancelled", { description: failureOf(error).message });
    }
  };

  const cancelQueued = async (promptId: string) => {
    try {
      await client.sessions.cancelPrompt.mutate({ sessionId, promptId });
    } catch (error) {
      toast.error("Not taken back", { description: failureOf(error).message });
    }
  };

  const unload = async () => {
    try {
      await client.sessions.unload.mutate({ sessionId });
    } catch (error) {
      toast.error("Not unloaded", { description: failureOf(error).message });
    }
  };

  const setConfig = async (configId: string, value: string | boolean) => {
    setPendingConfigId(configId);
    try {
      const change = { sessionId, configId, value };
      const { revision, options } = await client.sessions.setConfigOption.mutate(change);
      const { queryKey } = trpc.sessions.config.queryOptions({ sessionId });
      queryClient.setQueryData(queryKey, (old) =>
        old === undefined || old.revision > revision ? old : { ...old, revision, options },
      );
    } catch (error) {
      toast.error("The option was not changed", { description: failureOf(error).message });
    } finally {
      setPendingConfigId(null);
    }
  };

  useCancelKey(cancel);
  return {
    isCancelling,
    pendingConfigId,
    cancel: () => void cancel(),
    cancelQueued: (promptId: string) => void cancelQueued(promptId),
    unload: () => void unload(),
    setConfig: (configId: string, value: string | boolean) => void setConfig(configId, value),
  };
}

/** Ctrl+. or ⌘. cancels wherever the focus is; it is no text, so a field may have it. */
function useCancelKey(cancel: () => Promise<void>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "." || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void cancel();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [cancel]);
}
