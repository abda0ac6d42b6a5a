"use client";

import { useEffect, useRef, useState } from "react";
import { failureOf } from "../../lib/failure.ts";
import { useTRPCClient } from "../../lib/trpc.tsx";
import { reasonWords } from "../permission/permission-words.ts";
import type { BatchAnswer } from "./batch.ts";

export interface BatchOutcome {
  words: string;
  isAccepted: boolean;
}

/** Sends the answers one after the other and keeps what came of each. Closing stops the rest. */
export function useBatch() {
  const client = useTRPCClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, BatchOutcome>>(new Map());
  const [step, setStep] = useState<"open" | "sending" | "done">("open");
  const stop = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);

  const send = async ({ entry, option }: BatchAnswer): Promise<BatchOutcome> => {
    const { sessionId, requestId, digest } = entry.request;
    try {
      const answer = { sessionId, requestId, optionId: option.optionId, digest };
      const result = await client.permissions.respond.mutate(answer);
      if (result.status === "accepted") return { words: "Accepted", isAccepted: true };
      const by = result.resolvedBy === undefined ? "" : ` by ${result.resolvedBy.name}`;
      return { words: `Not counted. ${reasonWords(result.reason)}${by}`, isAccepted: false };
    } catch (error) {
      return { words: `Not sent: ${failureOf(error).message}`, isAccepted: false };
    }
  };

  const sendAll = async (answers: readonly BatchAnswer[]) => {
    const { signal } = stop.current;
    setStep("sending");
    for (const answer of answers) {
      if (signal.aborted) return;
      const outcome = await send(answer);
      setOutcomes((old) => new Map(old).set(answer.entry.id, outcome));
    }
    setStep("done");
  };
  return { step, outcomes, sendAll };
}
