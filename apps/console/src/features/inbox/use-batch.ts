"use client";

import { useTRPCClient } from "../../lib/trpc.tsx";
import { type Outcome, useEach } from "../../lib/use-each.ts";
import { reasonWords } from "../permission/permission-words.ts";
import type { BatchAnswer } from "./batch.ts";

/** Sends answers one after the other, each with the option that stands with it. */
export function useBatch() {
  const client = useTRPCClient();
  const send = async ({ entry, option }: BatchAnswer): Promise<Outcome> => {
    const { sessionId, requestId, digest } = entry.request;
    const answer = { sessionId, requestId, optionId: option.optionId, digest };
    const result = await client.permissions.respond.mutate(answer);
    if (result.status === "accepted") return { words: "Accepted", isDone: true };
    const by = result.resolvedBy === undefined ? "" : ` by ${result.resolvedBy.name}`;
    return { words: `Not counted. ${reasonWords(result.reason)}${by}`, isDone: false };
  };
  return useEach(({ entry }: BatchAnswer) => entry.id, send);
}
